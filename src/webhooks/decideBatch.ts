import type { Queue } from '../models/queue.ts';

/** The longest that an event waits for others; the number of the contract. */
export const LONGEST_WAIT_SECONDS = 60;

/** The most bytes of a batch that has more than one event: receivers limit bodies, mostly to one or a few megabytes. */
export const MOST_BYTES = 1024 * 1024;

/** What is written around the events of a batch, and between two of them. */
const FRAME_BYTES = '{"type":"batch","events":[]}'.length;
const COMMA_BYTES = 1;

export interface WaitingEvent {
  id: string;
  /** When it was recorded. */
  at: Date;
  /** The length of its envelope. */
  bytes: number;
}

/** Events that wait for a webhook and may be in one batch. Projects do not mix: one may be deleted, and its deliveries wait. */
export interface WaitingGroup {
  queue: Queue;
  projectId: string | null;
  events: number;
  bytes: number;
  /** When the first of them has waited for long enough. */
  dueAtMs: number;
}

/** How a webhook wants its batches; null: it has none any more. */
export type Batching = { maxEvents: number } | null;

/** The batching of a webhook. */
export function batchingOf({ batchMaxEvents }: { batchMaxEvents: number | null }): Batching {
  return batchMaxEvents === null ? null : { maxEvents: batchMaxEvents };
}

/** Whether events are to be sent now: there are enough of them, or one has waited for long enough. */
export function isRipe(group: WaitingGroup, batching: Batching, nowMs: number): boolean {
  if (batching === null || group.events >= batching.maxEvents || group.bytes >= MOST_BYTES) return true;
  return group.dueAtMs <= nowMs || hasJumped(group, nowMs);
}

/** When the first of these groups will be ripe, if nothing is added; null without any. */
export function nextRipeMs(groups: readonly WaitingGroup[], batching: Batching, nowMs: number): number | null {
  if (groups.length === 0) return null;
  return Math.min(...groups.map((group) => (isRipe(group, batching, nowMs) ? nowMs : group.dueAtMs)));
}

/** Due later than anything can be: the clock was set back since. */
function hasJumped({ dueAtMs }: WaitingGroup, nowMs: number): boolean {
  return dueAtMs > nowMs + LONGEST_WAIT_SECONDS * 1000;
}

/** Those of the first events that fit into one request: at least one, however large it is. */
export function fitting(events: readonly WaitingEvent[]): WaitingEvent[] {
  let bytes = FRAME_BYTES - COMMA_BYTES;
  const over = events.findIndex((event, at) => {
    bytes += event.bytes + COMMA_BYTES;
    return at > 0 && bytes > MOST_BYTES;
  });
  return over === -1 ? [...events] : events.slice(0, over);
}
