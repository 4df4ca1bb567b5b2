import type { Json } from './parts.ts';
import { NOTICE, tamed } from './results.ts';

/** Fields of a link that say what it is and does; `detail: "full"` gives all. */
const LINK = ['id', 'short_url', 'destination', 'title', 'status', 'tags', 'clicks', 'created_at'];
const WEBHOOK = [
  'id',
  'url',
  'description',
  'event_types',
  'scope',
  'status',
  'disabled_reason',
  'circuit',
  'consecutive_failures',
];
const DELIVERY = ['id', 'event_id', 'event_type', 'test', 'status', 'attempt_count', 'next_attempt_at', 'created_at'];
const ATTEMPT = ['number', 'at', 'status_code', 'error', 'duration_ms', 'response_body'];
const DOMAIN = ['id', 'hostname', 'kind', 'status', 'problem', 'verified_at'];

export function linkView(link: unknown, detail?: unknown): Json {
  return tamed(detail === 'full' ? link : pick(link, LINK)) as Json;
}

export function webhookView(webhook: unknown): Json {
  return tamed(pick(webhook, WEBHOOK)) as Json;
}

/** A delivery with its last attempt alone. */
export function deliveryView(delivery: unknown): Json {
  const { attempts } = delivery as { attempts: unknown[] };
  const last = attempts.at(-1);
  return tamed({ ...pick(delivery, DELIVERY), last_attempt: last ? pick(last, ATTEMPT) : null }) as Json;
}

/** A domain; while it is not verified, with the records that its owner must set. */
export function domainView(domain: unknown): Json {
  const { status, verification } = domain as { status: string; verification: Json[] };
  const records =
    status === 'verified'
      ? []
      : verification.map((record) => pick(record, ['name', 'type', 'value', 'is_set', 'about']));
  return tamed({ ...pick(domain, DOMAIN), ...(records.length > 0 ? { records_to_set: records } : {}) }) as Json;
}

/** A page of a list, with how to get the rest. */
export function pageView(page: Json, view: (row: unknown) => Json, narrow: string): Json {
  const { data, next_cursor: cursor } = page as { data: unknown[]; next_cursor: string | null };
  const rows = { data: data.map(view) };
  return cursor ? { ...rows, next_cursor: cursor, more: `Call again with cursor, or narrow with ${narrow}.` } : rows;
}

/** Marks what holds the words of strangers. */
export function noticed(value: Json): Json {
  return { notice: NOTICE, ...value };
}

function pick(value: unknown, names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, (value as Json)[name] ?? null]));
}
