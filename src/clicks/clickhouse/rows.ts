import type { TrafficClass } from '../../routing/trafficReason.ts';
import type { Click } from '../click.ts';
import { literal, select } from './connection.ts';
import { COLUMNS, openTable, readSettings } from './table.ts';

/** A row as statements return it. Unknown values are empty. */
export interface Row {
  id: string;
  project_id: string;
  occurred_ms: number | string;
  link_id: string;
  domain: string;
  slug: string;
  traffic_class: TrafficClass;
  traffic_reason: string;
  country: string;
  region: string;
  city: string;
  platform: string;
  device: string;
  browser: string;
  language: string;
  referrer_host: string;
  destination: string;
  rule: string;
  utm_source: string;
  utm_medium: string;
  utm_campaign: string;
  utm_term: string;
  utm_content: string;
  tag_ids: string[];
  visitor: string;
  address_hash: string;
}

/** All columns, for statements that need a whole click. */
export const ALL_COLUMNS = Object.keys(COLUMNS).join(', ');

/** Rows of a statement about the table of clicks. */
export async function selectClicks<Found = Row>(sql: string): Promise<Found[]> {
  await openTable();
  return select<Found>(sql, await readSettings());
}

export function ofProject(projectId: string): string {
  return `project_id = ${literal(projectId)}`;
}

export function timeOf({ occurred_ms: ms }: Pick<Row, 'occurred_ms'>): number {
  return Number(ms);
}

/** An unknown value as the store of everything else has it. */
export function orNull(value: string): string | null {
  return value === '' ? null : value;
}

const UTM = ['source', 'medium', 'campaign', 'term', 'content'] as const;

export function utmOf(row: Pick<Row, `utm_${(typeof UTM)[number]}`>): Click['utm'] {
  const values = UTM.map((name) => [name, orNull(row[`utm_${name}`])] as const);
  return values.some(([, value]) => value !== null) ? Object.fromEntries(values) : null;
}

/** A whole click again. What is kept of it for matching only is in the store. */
export function clickOf(row: Row): Click {
  return {
    id: row.id,
    teamId: '',
    projectId: row.project_id,
    linkId: row.link_id,
    domain: row.domain,
    slug: row.slug,
    occurredAt: timeOf(row),
    trafficClass: row.traffic_class,
    trafficReason: orNull(row.traffic_reason),
    country: orNull(row.country),
    region: orNull(row.region),
    city: orNull(row.city),
    platform: row.platform,
    device: row.device,
    browser: orNull(row.browser),
    language: orNull(row.language),
    referrerHost: orNull(row.referrer_host),
    destination: orNull(row.destination),
    rule: orNull(row.rule),
    utm: utmOf(row),
    tagIds: row.tag_ids,
    visitor: row.visitor,
    addressHash: row.address_hash,
    osVersion: null,
    deviceModel: null,
  };
}
