import { config } from '../kernel/config.ts';
import { DAY_MS, dayOf } from '../kernel/durations.ts';
import type { MatchClick } from './matchClicks.ts';

/** Clicks of an address on one day that are looked at; an address with more is shared, whoever they are. */
export const MOST_CLICKS = 200;

/** Why an address says nothing of who is behind it; null: it does. */
export type SharedReason = 'shared_network' | 'many_visitors' | null;

/** `visitors`: who clicked from the address within a day. */
export function sharedReason(network: string | null, visitors: number): SharedReason {
  if (network !== null) return 'shared_network';
  return visitors > config.matchSharedVisitors ? 'many_visitors' : null;
}

/** Visitors are told apart within a UTC day alone, so this is the most that one of the days had in the last 24 hours. */
export function visitorsAmong(clicks: readonly MatchClick[], nowMs: number): number {
  const lately = clicks.filter(({ clickedAt }) => nowMs - clickedAt < DAY_MS);
  const days = [...Map.groupBy(lately, ({ clickedAt }) => dayOf(clickedAt)).values()];
  const counts = days.map((ofDay) =>
    ofDay.length >= MOST_CLICKS ? Number.POSITIVE_INFINITY : new Set(ofDay.map(({ visitor }) => visitor)).size,
  );
  return Math.max(0, ...counts);
}
