import { createHash } from 'node:crypto';

/** Milliseconds: the first moment from now on that the id of the project says, so that projects spread over the interval. */
export function firstDue(projectId: string, nowMs: number, intervalMs: number): number {
  const phase = createHash('sha256').update(projectId).digest().readUIntBE(0, 6) % intervalMs;
  const due = nowMs - (nowMs % intervalMs) + phase;
  return due < nowMs ? due + intervalMs : due;
}

/** Milliseconds: the first moment after now that is whole intervals after `dueMs`. What was missed is not made up for. */
export function nextDue(dueMs: number, nowMs: number, intervalMs: number): number {
  const missed = Math.max(0, Math.floor((nowMs - dueMs) / intervalMs));
  return dueMs + (missed + 1) * intervalMs;
}
