import { clock } from '../kernel/clock.ts';
import { DAY_MS } from '../kernel/durations.ts';
import type { FieldProblem } from '../kernel/errors.ts';

/** From `start` up to but without `end`, in milliseconds since the epoch. */
export interface Range {
  start: number;
  end: number;
}

interface RangeInput {
  interval?: string | null;
  start?: Date | null;
  end?: Date | null;
}

/** `all` is not here: it begins with the project. */
const INTERVAL_MS: Record<string, number> = {
  '1h': DAY_MS / 24,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '90d': 90 * DAY_MS,
  '1y': 365 * DAY_MS,
};

/** The range asked for; `since` is where `all` begins. What is wrong goes to `problems`, the range is then of no use. */
export function readRange(input: RangeInput, since: number, problems: FieldProblem[]): Range {
  const now = clock.now();
  if (!input.start && !input.end) {
    const lengthMs = INTERVAL_MS[input.interval ?? '24h'];
    return { start: lengthMs === undefined ? Math.min(since, now - 1) : now - lengthMs, end: now };
  }
  if (input.interval) problems.push({ path: 'interval', message: 'Give either interval or start and end.' });
  const [start, end] = [input.start?.getTime(), input.end?.getTime() ?? now];
  if (start === undefined) problems.push({ path: 'start', message: 'Is needed where end is given.' });
  else if (start >= end) problems.push(notBefore(input.end));
  return { start: start ?? end, end };
}

function notBefore(end: Date | null | undefined): FieldProblem {
  return end
    ? { path: 'end', message: 'Must be later than start.' }
    : { path: 'end', message: 'Is needed where start is not in the past: without it the range ends now.' };
}
