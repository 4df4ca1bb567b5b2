import type { WebhookSummary } from '../state/webhookState.ts';

export const SCOPE_KINDS = ['project', 'link', 'tag', 'team'] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

/** A webhook as its form holds it. */
export interface WebhookValues {
  url: string;
  description: string;
  isAll: boolean;
  eventTypes: string[];
  scope: ScopeKind;
  linkId: string;
  tagId: string;
  includeBots: boolean;
}

/** Those that show what is wrong with them. */
export const FIELDS = ['url', 'description', 'eventTypes', 'scope'];

export const NEW_WEBHOOK: WebhookValues = {
  url: '',
  description: '',
  isAll: true,
  eventTypes: [],
  scope: 'project',
  linkId: '',
  tagId: '',
  includeBots: false,
};

export function valuesOf(webhook: WebhookSummary): WebhookValues {
  const { url, description, eventTypes, scope, includeBots } = webhook;
  const isAll = eventTypes.includes('*');
  return {
    url,
    description: description ?? '',
    isAll,
    eventTypes: isAll ? [] : [...eventTypes],
    scope: scope === null ? 'team' : scope.linkId ? 'link' : scope.tagId ? 'tag' : 'project',
    linkId: scope?.linkId ?? '',
    tagId: scope?.tagId ?? '',
    includeBots,
  };
}

/** What create and update take alike. */
export function inputOf(values: WebhookValues) {
  const { url, description, isAll, eventTypes, includeBots } = values;
  return {
    url: url.trim(),
    description: description.trim() || null,
    eventTypes: isAll ? ['*'] : eventTypes,
    includeBots,
  };
}

/** The narrower scope below a project; null: the whole project. */
export function narrowScope({ scope, linkId, tagId }: WebhookValues): { linkId: string } | { tagId: string } | null {
  if (scope === 'link') return { linkId: linkId.trim() };
  return scope === 'tag' ? { tagId } : null;
}
