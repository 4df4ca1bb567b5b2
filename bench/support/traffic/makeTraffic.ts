import type { Direction } from '../../../src/anomalies/decide/Track.ts';
import { Draws } from '../fleet/Draws.ts';
import { seededRandom } from '../random.ts';
import { ASSUMPTIONS } from './assumptions.ts';
import { Counts } from './Counts.ts';
import { plantIncidents } from './plantIncidents.ts';
import { usualTraffic } from './usualTraffic.ts';

const WEEK_HOURS = 168;
/** What is not as usual, and was made so. Hours count from the first of the traffic. */
export interface Label {
  direction: Direction;
  strength: number;
  from: number;
  until: number;
  /** A campaign is an incident too; nobody planted it. */
  isPlanted: boolean;
  /** All clicks of an hour that were to be expected meanwhile, the mean. */
  usual: number;
}

export interface Traffic {
  size: number;
  people: number[];
  robots: number[];
  labels: Label[];
  /** From here on it is judged. */
  judgedFrom: number;
}

/** Traffic of a project over some months, hour by hour. The same seed gives the same. */
export function makeTraffic(seed: number, size: number): Traffic {
  const draws = new Draws(seededRandom(seed * 7919 + size));
  const counts = new Counts(draws);
  const { firstWeeks, judgedWeeks } = ASSUMPTIONS;
  const hours = (firstWeeks + judgedWeeks) * WEEK_HOURS;
  const judgedFrom = firstWeeks * WEEK_HOURS;
  const { people: mean, robots: robotMean, spread, bornAt } = usualTraffic(draws, size, hours, judgedFrom);
  const usual = mean.map((value, hour) => value + (robotMean[hour] as number));
  const labels = plantIncidents(draws, usual, Math.max(judgedFrom, bornAt + 3 * WEEK_HOURS));
  const people: number[] = [];
  const robots: number[] = [];
  for (let hour = 0; hour < hours; hour += 1) {
    let [factor, flood] = [1, 0];
    for (const label of labels) {
      const { direction, strength, from, until, isPlanted } = label;
      if (hour < from || hour >= until) continue;
      if (direction === 'bot_flood') flood += strength * label.usual;
      else if (isPlanted) factor *= strength;
      else factor *= 1 + (strength - 1) * (1 - (hour - from) / (until - from));
    }
    people.push(counts.around((mean[hour] as number) * factor, spread));
    robots.push(counts.around(robotMean[hour] as number, 0.4) + counts.around(flood, 0.2));
  }
  return { size, people, robots, labels, judgedFrom };
}
