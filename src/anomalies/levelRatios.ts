import { median } from './median.ts';
import type { Track } from './Track.ts';

const DAY_HOURS = 24;
const WEEK_HOURS = 168;
/** Hours of a day that must be known in both weeks. */
const LEAST_HOURS = 12;

/**
 * How much more traffic the week up to `hour` had than the one so many weeks before, for 1 to `weeks`; NaN where that is
 * not known. The median of its seven days: neither a holiday nor a campaign moves it. `sinceHour`: hours before are left out.
 */
export function levelRatios(
  { known, fromHour }: Track,
  hour: number,
  weeks: number,
  sinceHour: number | null,
): number[] {
  const end = hour - fromHour;
  const since = (sinceHour ?? Number.NEGATIVE_INFINITY) - fromHour;
  const ratios: number[] = [];
  for (let week = 1; week <= weeks; week += 1) {
    const days: number[] = [];
    for (let day = 0; day < 7; day += 1) {
      let [now, then, hours] = [0, 0, 0];
      for (let at = end - DAY_HOURS * (day + 1); at < end - DAY_HOURS * day; at += 1) {
        if (at < since) continue;
        const [count, before] = [known[at] as number, known[at - WEEK_HOURS * week] as number];
        if (!(count >= 0) || !(before >= 0)) continue;
        now += count;
        then += before;
        hours += 1;
      }
      if (hours >= LEAST_HOURS && then > 0) days.push((now + 1) / (then + 1));
    }
    ratios.push(median(days));
  }
  return ratios;
}
