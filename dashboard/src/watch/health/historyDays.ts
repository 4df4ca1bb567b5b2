import { dayIn, startOfDay } from '../../kernel/zones.ts';
import type { CheckStatus } from './checks.ts';

/** What a check said, from when to when. */
export interface HistoryEntry {
  name: string;
  status: CheckStatus;
  since: string;
  /** Null: it still says so. */
  until: string | null;
}

export interface HistoryDay {
  /** When it begins. */
  start: string;
  /** The worst that the check said that day; null: nothing is known. */
  status: CheckStatus | null;
  /** How long it said so. */
  lengthMs: number;
}

export const HISTORY_DAYS = 30;
const DAY_MS = 86_400_000;
const WORST_FIRST = ['fail', 'warn', 'pass', 'skip'] as const;

/** The last days of one check, the earliest first; the last one is today. */
export function historyDays(entries: readonly HistoryEntry[], now: number, zone: string): HistoryDay[] {
  const today = Date.parse(dayIn(zone, now));
  const starts = [...Array(HISTORY_DAYS).keys()].map((index) =>
    startOfDay(zone, new Date(today - (HISTORY_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10)),
  );
  return starts.map((from, index) => {
    const to = starts[index + 1] ?? now;
    const parts = entries
      .map(({ status, since, until }) => ({
        status,
        since: Date.parse(since),
        until: until === null ? now : Date.parse(until),
      }))
      .filter(({ since, until }) => since < to && (until > from || since >= from));
    const status = WORST_FIRST.find((one) => parts.some((part) => part.status === one)) ?? null;
    const lengthMs = parts
      .filter((part) => part.status === status)
      .reduce((sum, { since, until }) => sum + Math.min(until, to) - Math.max(since, from), 0);
    return { start: new Date(from).toISOString(), status, lengthMs };
  });
}
