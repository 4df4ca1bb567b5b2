import type { Asked, Json, Operation } from './parts.ts';

/** Why a person decides about a change: as in the table of operations, or because it changes many records at once. */
export interface Hazard {
  danger: NonNullable<Operation['danger']> | 'bulk';
  /** For the person who decides, as the end of "it …"; null where what is done says it already. */
  why: string | null;
}

/** What is known of the links that a change names. */
export interface HazardFacts {
  nowMs: number;
  /** Null: there is no such link yet. Undefined, also for a link that the list lacks: nothing is known. */
  links: readonly (PresentLink | null | undefined)[];
}

export interface PresentLink {
  clicks: number;
  domain: string;
  slug: string;
}

/** A link that ends this soon is stopped for everybody who would have to notice it. */
const SOON_MS = 3_600_000;

type Decide = (asked: { body: Json; query: Record<string, string> }, facts: HazardFacts) => Hazard[];

/**
 * What operations do beyond the danger that the table of operations names, by what they are asked. One that is not
 * here and has no danger of its own is confirmed for its size alone; a test lists those.
 */
const BY_BODY: Record<string, Decide> = {
  updateLink: ({ body }, facts) => stopsOfLink(body, facts.links[0], facts.nowMs),
  upsertLink: ({ body }, facts) => stopsOfLink(body, facts.links[0], facts.nowMs),
  bulkUpsertLinks: ({ body }, facts) =>
    listOf(body.links).flatMap((link, at) => stopsOfLink(objectOf(link), facts.links[at], facts.nowMs)),
  bulkUpdateLinks: ({ body }, facts) =>
    listOf(body.ids).flatMap((_, at) => stopsOfLink(objectOf(body.set), facts.links[at], facts.nowMs)),
  createWebhook: ({ body }) => [sends(body)],
  updateWebhook: ({ body }) => (hasOther(body, QUIET_OF_WEBHOOKS) ? [sends(body)] : []),
  enableWebhook: () => [{ danger: 'sends', why: 'sends events to the webhook again' }],
  updateDomain: ({ body }) =>
    otherFields(body, QUIET_OF_DOMAINS).map((field) => ({
      danger: 'stops',
      why: `changes ${field} of the domain${shown(body[field])}`,
    })),
  updateProject: ({ body }) =>
    otherFields(body, QUIET_OF_PROJECTS).map((field) => ({ danger: 'stops', why: `replaces ${field} of the project` })),
  startImport: ({ query }) => importHazards(query),
};

/** Fields of webhooks that say neither where events go nor which and how. */
const QUIET_OF_WEBHOOKS = ['description', 'external_id', 'managed_by', 'max_in_flight'];
const QUIET_OF_DOMAINS = ['managed_by'];
const QUIET_OF_PROJECTS = [
  ...['name', 'default_domain', 'match_window_seconds', 'max_event_value', 'probabilistic_matching'],
];

/** These send to a URL that was confirmed: a sample, or what it was sent before. Large replays are confirmed by their tool. */
const SENDS_TO_THE_CONFIRMED = new Set(['testWebhook', 'resendDelivery', 'replayWebhook']);

/** Why a person decides about this change; an empty list: it needs nobody. */
export function decideHazards(operation: Operation, { body, query = {} }: Asked, facts: HazardFacts): Hazard[] {
  const { id, danger } = operation;
  const own: Hazard[] =
    danger !== null && isAlwaysConfirmed(operation)
      ? [{ danger, why: danger === 'reveals' ? 'shows a secret to the assistant' : null }]
      : [];
  const decide = decidesByBody(operation) ? BY_BODY[id] : undefined;
  return unique([...own, ...(decide?.({ body: objectOf(body), query }, facts) ?? [])]);
}

/** Whether an operation is confirmed whatever it is asked. */
export function isAlwaysConfirmed({ id, danger }: Operation): boolean {
  return danger !== null && !SENDS_TO_THE_CONFIRMED.has(id);
}

/** Whether it is confirmed for some of what it may be asked. */
export function decidesByBody({ id }: Operation): boolean {
  return Object.hasOwn(BY_BODY, id);
}

/** Fields whose hazard depends on the link that they are set on. */
const RELATIVE = ['click_limit', 'domain', 'slug'];

/** The links on whose present state the hazards of a change depend, as it names them; see `links` of HazardFacts. */
export function linksToCompare({ id }: Operation, { path, body }: Asked): string[] {
  const { ids, links, set } = objectOf(body);
  const isRelative = RELATIVE.some((field) => field in objectOf(set ?? body));
  if (id === 'updateLink') return isRelative ? [path?.id ?? ''] : [];
  if (id === 'bulkUpdateLinks') return isRelative ? listOf(ids).map(String) : [];
  if (id === 'upsertLink') return [`ext_${path?.external_id ?? ''}`];
  if (id !== 'bulkUpsertLinks') return [];
  return listOf(links)
    .map(objectOf)
    .map((link) => (typeof link.id === 'string' ? link.id : `ext_${link.external_id}`));
}

function stopsOfLink(fields: Json, link: PresentLink | null | undefined, nowMs: number): Hazard[] {
  if (link === null) return [];
  const { archived, expires_at, starts_at, click_limit, password } = fields;
  const whys = [
    archived === true && 'stops links (archived)',
    isGiven(expires_at) && !(timeOf(expires_at) > nowMs + SOON_MS) && `ends links at ${String(expires_at)}`,
    isGiven(starts_at) && !(timeOf(starts_at) <= nowMs) && `stops links until ${String(starts_at)}`,
    typeof click_limit === 'number' &&
      click_limit <= (link?.clicks ?? Number.POSITIVE_INFINITY) &&
      `ends links after ${click_limit} clicks, which they may have had`,
    typeof password === 'string' && 'asks visitors of links for a password',
    ...(['domain', 'slug'] as const).map(
      (field) =>
        typeof fields[field] === 'string' &&
        fields[field] !== link?.[field] &&
        `gives links another ${field}${shown(fields[field])}; the present short URL ends`,
    ),
  ];
  return whys.filter((why) => why !== false).map((why) => ({ danger: 'stops', why }));
}

function sends({ url, scope, event_types }: Json): Hazard {
  const which = Array.isArray(event_types) ? event_types.map(String).join(', ').slice(0, 100) : '';
  const where = url === undefined ? '' : ` to ${String(url).slice(0, 200)}`;
  return { danger: 'sends', why: `sends events${which ? ` (${which})` : ''}${scope ? ' of some links' : ''}${where}` };
}

function importHazards({ dry_run, on_conflict = 'skip' }: Record<string, string>): Hazard[] {
  if (dry_run === 'true') return [];
  const what = on_conflict === 'update' ? 'changes links that exist, and may stop them' : 'creates links from a file';
  return [{ danger: on_conflict === 'update' ? 'stops' : 'bulk', why: what }];
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** NaN for what is not a time: it speaks against a change, until the server refuses it. */
function timeOf(value: unknown): number {
  return typeof value === 'string' ? new Date(value).getTime() : Number.NaN;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `: ${value.slice(0, 200)}` : '';
}

function hasOther(body: Json, quiet: readonly string[]): boolean {
  return otherFields(body, quiet).length > 0;
}

function otherFields(body: Json, quiet: readonly string[]): string[] {
  return Object.keys(body).filter((field) => !quiet.includes(field));
}

function unique(hazards: Hazard[]): Hazard[] {
  return [...new Map(hazards.map((hazard) => [`${hazard.danger} ${hazard.why}`, hazard])).values()];
}

function objectOf(value: unknown): Json {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Json) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
