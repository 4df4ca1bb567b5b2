import type { Principal } from '../../access/principal.ts';
import { type ReportedEvent, recordAppEvents, type Taken } from '../../apps/recordAppEvents.ts';
import { clock } from '../../kernel/clock.ts';
import { DAY_MS } from '../../kernel/durations.ts';
import { validationFailed } from '../../kernel/errors.ts';
import { requireApp } from './requireApp.ts';
import { surroundings } from './surroundings.ts';

interface EventInput {
  id?: string | null;
  name?: string | null;
  occurredAt?: Date | null;
  value?: number | null;
  currency?: string | null;
  properties?: Record<string, unknown> | null;
}

/** As the API's rules let it through: many events, or one beside the install. */
export interface EventsInput extends EventInput {
  installId: string;
  events?: EventInput[] | null;
}

/** A device without a network keeps events for days; a clock that is further back is wrong. */
const OLDEST_MS = 30 * DAY_MS;

/**
 * Writes down what happened in an app. `occurred_at` is taken for no later than now and no earlier than 30 days ago.
 * Throws `validation_failed` when there is neither `events` nor an event.
 */
export async function recordEvents(principal: Principal, input: EventsInput, address: string): Promise<Taken> {
  const { projectId } = requireApp(principal);
  checkEvents(input);
  const atMs = clock.now();
  return recordAppEvents({
    projectId,
    installId: input.installId.toLowerCase(),
    atMs,
    place: surroundings().placeOf(address),
    events: (input.events ?? [input]).map((event) => reported(event, atMs)),
  });
}

/** Throws `validation_failed`; the rest was checked at the door. */
export function checkEvents({ events, name }: EventsInput): void {
  if (events || name) return;
  throw validationFailed([{ path: 'name', message: 'Is required where there are no events.' }]);
}

function reported(event: EventInput, atMs: number): ReportedEvent {
  const { id, name, occurredAt, value, currency, properties } = event;
  const toldMs = occurredAt?.getTime() ?? atMs;
  return {
    id: id ?? null,
    name: name as string,
    occurredAt: Math.min(atMs, Math.max(atMs - OLDEST_MS, toldMs)),
    value: value ?? null,
    currency: currency?.toUpperCase() ?? null,
    properties: properties ?? null,
  };
}
