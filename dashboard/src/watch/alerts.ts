import { graphql, type JsonObject, type ResultOf } from '../kernel/graphql.ts';

/** What a row of the list shows. */
export const ALERT_ROW = graphql(`
  fragment AlertRow on Alert @_unmask {
    id
    teamId
    projectId
    kind
    severity
    title
    linkId
    webhookId
    details
    createdAt
    acknowledgedAt
    resolvedAt
    link {
      id
      shortUrl
    }
    webhook {
      id
      url
    }
  }
`);

export type AlertRow = ResultOf<typeof ALERT_ROW>;
export type AlertKind = AlertRow['kind'];
export type AlertStatus = 'open' | 'acknowledged' | 'resolved';

export const ALERT_STATUSES = ['open', 'acknowledged', 'resolved'] as const;
export const SEVERITIES = ['critical', 'warning', 'info'] as const;

export function statusOf({ acknowledgedAt, resolvedAt }: Pick<AlertRow, 'acknowledgedAt' | 'resolvedAt'>): AlertStatus {
  if (resolvedAt !== null) return 'resolved';
  return acknowledgedAt === null ? 'open' : 'acknowledged';
}

/** A text among the details of an alert; null where there is none. */
export function textIn(details: JsonObject, name: string): string | null {
  const value = details[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

export function numberIn(details: JsonObject, name: string): number | null {
  const value = details[name];
  return typeof value === 'number' ? value : null;
}

/** The objects of a list among the details of an alert. */
export function rowsIn(details: JsonObject, name: string): JsonObject[] {
  const value = details[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
