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
  /** Whether events are sent together; the numbers of all three are as they were typed. */
  batches: boolean;
  maxEvents: string;
  maxWaitSeconds: string;
  maxInFlight: string;
}

/** Those that show what is wrong with them. */
export const FIELDS = [
  'url',
  'description',
  'eventTypes',
  'scope',
  'batch.maxEvents',
  'batch.maxWaitSeconds',
  'maxInFlight',
];

export const NEW_WEBHOOK: WebhookValues = {
  url: '',
  description: '',
  isAll: true,
  eventTypes: [],
  scope: 'project',
  linkId: '',
  tagId: '',
  includeBots: false,
  batches: false,
  maxEvents: '100',
  maxWaitSeconds: '5',
  maxInFlight: '10',
};

export function valuesOf(webhook: WebhookSummary): WebhookValues {
  const { url, description, eventTypes, scope, includeBots, batch, maxInFlight } = webhook;
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
    batches: batch !== null,
    maxEvents: batch ? String(batch.maxEvents) : NEW_WEBHOOK.maxEvents,
    maxWaitSeconds: batch ? String(batch.maxWaitSeconds) : NEW_WEBHOOK.maxWaitSeconds,
    maxInFlight: String(maxInFlight),
  };
}

/** What create and update take alike. */
export function inputOf(values: WebhookValues) {
  const { url, description, isAll, eventTypes, includeBots } = values;
  // What is no number, such as nothing, is refused by the server like one that is too small.
  const [maxEvents, maxWaitSeconds, maxInFlight] = [values.maxEvents, values.maxWaitSeconds, values.maxInFlight].map(
    (typed) => Math.trunc(Number(typed)) || 0,
  ) as [number, number, number];
  return {
    url: url.trim(),
    description: description.trim() || null,
    eventTypes: isAll ? ['*'] : eventTypes,
    includeBots,
    batch: values.batches ? { maxEvents, maxWaitSeconds } : null,
    maxInFlight,
  };
}

/** The narrower scope below a project; null: the whole project. */
export function narrowScope({ scope, linkId, tagId }: WebhookValues): { linkId: string } | { tagId: string } | null {
  if (scope === 'link') return { linkId: linkId.trim() };
  return scope === 'tag' ? { tagId } : null;
}
