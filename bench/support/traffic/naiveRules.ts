import type { Told } from './Detector.ts';
import type { Traffic } from './makeTraffic.ts';

/** Fewer are not judged, by these rules neither. */
const LEAST = 20;
const CALM_HOURS = 3;
const WEEK_HOURS = 168;

/** Further than three standard deviations from the mean of the last 24 hours. */
export const lastDay = rule((counts, hour) => {
  const before = counts.slice(hour - 24, hour);
  const mean = before.reduce((sum, count) => sum + count, 0) / 24;
  const deviation = Math.sqrt(before.reduce((sum, count) => sum + (count - mean) ** 2, 0) / 24) || 1;
  const count = counts[hour] as number;
  if (mean < LEAST) return null;
  return count < mean - 3 * deviation ? 'below' : count > mean + 3 * deviation ? 'above' : null;
});

/** Half as many, or one and a half times as many, as in the same hour a week ago. */
export const lastWeek = rule((counts, hour) => {
  const before = counts[hour - WEEK_HOURS] ?? 0;
  const count = counts[hour] as number;
  if (before < LEAST) return null;
  return count < 0.5 * before ? 'below' : count > 1.5 * before ? 'above' : null;
});

type Side = 'below' | 'above' | null;

/** One alert until three hours in a row are as usual; people and robots by themselves. Quiet for two weeks as ours. */
function rule(sideOf: (counts: readonly number[], hour: number) => Side): (traffic: Traffic) => Told[] {
  return ({ people, robots, judgedFrom }) => {
    const born = people.findIndex((count) => count > 0);
    const first = Math.max(judgedFrom, born + 2 * WEEK_HOURS);
    const drops = alerts(people, first, (hour) => sideOf(people, hour) === 'below', 'drop');
    const spikes = alerts(people, first, (hour) => sideOf(people, hour) === 'above', 'spike');
    return [...drops, ...spikes, ...alerts(robots, first, (hour) => sideOf(robots, hour) === 'above', 'bot_flood')];
  };
}

function alerts(
  counts: readonly number[],
  first: number,
  isOut: (hour: number) => boolean,
  direction: Told['direction'],
) {
  const told: Told[] = [];
  let [open, calm]: [Told | null, number] = [null, 0];
  for (let hour = first; hour < counts.length; hour += 1) {
    const out = isOut(hour);
    calm = out ? 0 : calm + 1;
    if (out && !open) {
      open = { direction, at: hour, from: hour, until: null };
      told.push(open);
    } else if (open && calm >= CALM_HOURS) {
      open.until = hour - CALM_HOURS + 1;
      open = null;
    }
  }
  return told;
}
