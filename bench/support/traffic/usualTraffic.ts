import type { Draws } from '../fleet/Draws.ts';
import { ASSUMPTIONS } from './assumptions.ts';

const DAY_HOURS = 24;
const WEEK_HOURS = 168;
const YEAR_HOURS = 365.25 * DAY_HOURS;

/** The mean of each hour without incidents; `spread`: of the hours around it. `bornAt`: the first hour. */
export function usualTraffic(draws: Draws, size: number, hours: number, judgedFrom: number) {
  const rhythm = rhythmOf(draws, hours, judgedFrom);
  const growth = draws.between(...ASSUMPTIONS.growth);
  const isYoung = draws.chance(ASSUMPTIONS.young);
  const bornAt = isYoung ? judgedFrom + draws.whole(0, 6 * WEEK_HOURS) : 0;
  const youngHours = draws.between(...ASSUMPTIONS.youngHours);
  const slow = slowNoise(draws, hours);
  const drift = drifts(draws, hours);
  const robotShare = draws.between(...ASSUMPTIONS.robots);
  const [people, robots]: [number[], number[]] = [[], []];
  for (let hour = 0; hour < hours; hour += 1) {
    const start = isYoung ? Math.min(1, Math.max(0, hour - bornAt) / youngHours) : 1;
    const trend = (1 + growth) ** ((hour - judgedFrom) / WEEK_HOURS);
    const mean = size * rhythm(hour) * trend * start;
    people.push(mean * (slow[hour] as number) * (drift[hour] as number));
    // Half of them come with people (previews), half by themselves.
    robots.push(robotShare * (0.5 * mean + 0.5 * size * trend * start));
  }
  const bursts = stretches(draws, hours, ASSUMPTIONS.robotBurstsAYear, [1, 3], ASSUMPTIONS.robotBurst);
  for (const [at, { from, until, times }] of bursts.entries()) {
    const first = Math.max(from, bursts[at - 1]?.until ?? 0);
    for (let hour = first; hour < until; hour += 1) robots[hour] = (robots[hour] as number) * times;
  }
  return { people, robots, spread: draws.between(...ASSUMPTIONS.hourNoise), bornAt };
}

/** Days and weeks, with holidays, quiet weekends and a clock that changes; 1 on average. */
function rhythmOf(draws: Draws, hours: number, judgedFrom: number): (hour: number) => number {
  const [wave, second] = [draws.between(...ASSUMPTIONS.dayWave), draws.between(...ASSUMPTIONS.secondWave)];
  const zone = draws.whole(-11, 13);
  const isBusiness = draws.chance(ASSUMPTIONS.business);
  const [least, most] = ASSUMPTIONS.weekend[isBusiness ? 'business' : 'consumer'];
  const weekend = draws.between(least, most);
  const weekdays = Array.from({ length: 7 }, (_, day) => (day >= 5 ? weekend : draws.between(0.9, 1.1)));
  const mean = weekdays.reduce((sum, value) => sum + value, 0) / 7;
  const days = Math.ceil(hours / DAY_HOURS) + 5;
  const dayFactor = Array.from({ length: days }, (_, day) => {
    const noise = Math.exp(draws.between(...ASSUMPTIONS.dayNoise) * draws.normal());
    const isHoliday = draws.chance(ASSUMPTIONS.holidaysAYear / 365.25);
    const weekday = weekdays[day % 7] as number;
    return isHoliday ? Math.min(weekday, weekend) * draws.between(...ASSUMPTIONS.holiday) * noise : weekday * noise;
  });
  for (let day = 5; day + 1 < days; day += 7) {
    if (!draws.chance(ASSUMPTIONS.quietWeekendsAYear / 52)) continue;
    const times = draws.between(...ASSUMPTIONS.quietWeekend);
    for (const at of [day, day + 1]) dayFactor[at] = (dayFactor[at] as number) * times;
  }
  const clock = draws.chance(ASSUMPTIONS.clockChange) ? draws.whole(judgedFrom, hours) : Number.POSITIVE_INFINITY;
  const change = draws.chance(0.5) ? 1 : -1;
  return (hour) => {
    const local = hour + zone + 2 * DAY_HOURS + (hour >= clock ? change : 0);
    const turn = ((local % DAY_HOURS) / DAY_HOURS) * 2 * Math.PI;
    const ofDay = 1 - wave * Math.cos(turn - 0.9) - second * Math.cos(2 * turn);
    return (Math.max(0.03, ofDay) * factorAt(dayFactor, local)) / mean;
  };
}

/** Nobody gets up at midnight: one day goes over into the next between 22 and 4 o'clock. */
function factorAt(dayFactor: readonly number[], local: number): number {
  const hour = local % DAY_HOURS;
  const day = Math.floor(local / DAY_HOURS);
  const [before, after] = hour < 12 ? [day - 1, day] : [day, day + 1];
  const way = Math.min(1, Math.max(0, ((hour < 12 ? hour + DAY_HOURS : hour) - 22) / 6));
  return (dayFactor[before] as number) ** (1 - way) * (dayFactor[after] as number) ** way;
}

/** Noise that stays for some hours. */
function slowNoise(draws: Draws, hours: number): number[] {
  const sigma = draws.between(...ASSUMPTIONS.slowNoise);
  const kept = 0.5 ** (1 / ASSUMPTIONS.slowHours);
  let state = sigma * draws.normal();
  return Array.from({ length: hours }, () => {
    state = kept * state + Math.sqrt(1 - kept ** 2) * sigma * draws.normal();
    return Math.exp(state);
  });
}

/** Slow changes up or down, which last. */
function drifts(draws: Draws, hours: number): number[] {
  const factor = new Array<number>(hours).fill(1);
  for (const { from, until, times } of stretches(
    draws,
    hours,
    ASSUMPTIONS.driftsAYear,
    ASSUMPTIONS.driftHours,
    ASSUMPTIONS.drift,
  )) {
    const length = until - from;
    for (let hour = from; hour < Math.min(hours, from + 3 * length); hour += 1) {
      // There, a while, and back.
      const way = Math.min(1, (hour - from) / length, (from + 3 * length - hour) / length);
      factor[hour] = (factor[hour] as number) * times ** way;
    }
  }
  return factor;
}

type Bounds = readonly [number, number];

function stretches(draws: Draws, hours: number, aYear: number, lengths: Bounds, factors: Bounds) {
  const found: { from: number; until: number; times: number }[] = [];
  for (let at = draws.exponential(YEAR_HOURS / aYear); at < hours; at += draws.exponential(YEAR_HOURS / aYear)) {
    const from = Math.floor(at);
    const until = Math.min(hours, from + Math.max(1, Math.round(draws.between(...lengths))));
    found.push({ from, until, times: draws.between(...factors) });
  }
  return found;
}
