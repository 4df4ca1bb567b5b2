import type { Direction } from '../../../src/anomalies/decide/Track.ts';
import type { Draws } from '../fleet/Draws.ts';
import { ASSUMPTIONS, PLANTED } from './assumptions.ts';
import type { Label } from './makeTraffic.ts';

const YEAR_HOURS = 365.25 * 24;
/** Between two incidents: what comes sooner could be told of as one. */
const APART_HOURS = 72;

/** Incidents of every direction, strength and length, and the campaigns that come by themselves; no two at once. */
export function plantIncidents(draws: Draws, usual: readonly number[], fromHour: number): Label[] {
  const labels: Label[] = [];
  const add = (direction: Direction, strength: number, from: number, hours: number, isPlanted: boolean) => {
    const until = from + hours;
    const isFree = labels.every((other) => until + APART_HOURS < other.from || from > other.until + APART_HOURS);
    if (from < 0 || until + APART_HOURS > usual.length || !isFree) return;
    const mean = usual.slice(from, until).reduce((sum, value) => sum + value, 0) / hours;
    labels.push({ direction, strength, from, until, isPlanted, usual: mean });
  };
  const gap = () => draws.exponential(YEAR_HOURS / ASSUMPTIONS.campaignsAYear);
  for (let at = gap(); at < usual.length; at += gap()) {
    const hours = Math.round(draws.between(...ASSUMPTIONS.campaignHours));
    add('spike', draws.between(...ASSUMPTIONS.campaign), Math.floor(at), hours, false);
  }
  for (let planted = 0; planted < ASSUMPTIONS.planted; planted += 1) {
    const direction = draws.pick(Object.keys(PLANTED) as (keyof typeof PLANTED)[]);
    const { strengths, hours } = PLANTED[direction];
    const from = draws.whole(fromHour, Math.max(fromHour + 1, usual.length - 1));
    add(direction, draws.pick<number>(strengths), from, draws.pick<number>(hours), true);
  }
  return labels.sort((a, b) => a.from - b.from);
}
