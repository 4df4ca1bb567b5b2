import type { Model } from './Model.ts';
import type { ModelClaim, ModelDelivery } from './modelTypes.ts';

/** What the receiver does; `busy` asks for more time than it may get, `gone` wants nothing more, `our_fault` never reaches it. */
export const OUTCOMES = ['ok', 'fails', 'hangs', 'busy', 'gone', 'our_fault'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A moment, or where it lies as long as nobody has looked. */
export type Moment = number | { from: number; to: number };

/** Seconds that `busy` asks for, and what it gets of them. */
export const BUSY_SECONDS = 9000;
const MOST_BUSY_SECONDS = 7200;

type Now = Pick<Model, 'nowMs' | 'settings'>;

/** The delivery after an attempt that was made, and counts. */
export function afterAttempt(
  delivery: ModelDelivery,
  { manual }: ModelClaim,
  outcome: Outcome,
  { nowMs, settings }: Now,
  at: number,
): void {
  delivery.claim = null;
  delivery.log.push({ manual, outcome, at });
  if (manual) delivery.resends = Math.max(0, delivery.resends - 1);
  if (outcome === 'ok') Object.assign(delivery, { status: 'succeeded', nextAt: null });
  else if (!manual && delivery.status === 'pending') {
    const gap = settings.gaps[automaticAttempts(delivery) - 1];
    const asked = outcome === 'busy' ? MOST_BUSY_SECONDS : 0;
    delivery.nextAt = gap === undefined ? null : within(nowMs, gap, asked);
    if (gap === undefined) delivery.status = 'failed';
  }
  sendNext(delivery, nowMs);
}

/** The delivery after an attempt that could not be made by a fault of ours: it counts nowhere. */
export function afterFault(delivery: ModelDelivery, { manual }: ModelClaim, { nowMs, settings }: Now): void {
  const again = within(nowMs, settings.gaps[0] ?? 15, 0);
  delivery.claim = null;
  if (manual) delivery.dueAt = again;
  else {
    if (delivery.status === 'pending') delivery.nextAt = again;
    sendNext(delivery, nowMs);
  }
}

export function earliest(moment: Moment): number {
  return typeof moment === 'number' ? moment : moment.from;
}

export function automaticAttempts({ log }: ModelDelivery): number {
  return log.filter(({ manual }) => !manual).length;
}

function sendNext(delivery: ModelDelivery, nowMs: number): void {
  if (delivery.resends > 0) delivery.dueAt = nowMs;
  else delivery.dueAt = delivery.nextAt;
  if (delivery.resends === 0 && delivery.status === 'pending') delivery.queue = delivery.event.isTest ? 0 : 1;
}

/** The gap is up to a tenth shorter or longer, and at least what was asked for. */
function within(nowMs: number, gap: number, asked: number): Moment {
  const after = (seconds: number) => nowMs + Math.round(Math.max(seconds, asked) * 1000);
  const [from, to] = [after(gap * 0.9), after(gap * 1.1)];
  return from === to ? from : { from, to };
}
