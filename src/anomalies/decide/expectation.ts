import { DAY_HOURS, type Track, WEEK_HOURS } from './Track.ts';

/** Weeks of history: over two months the rhythm of a week hardly changes. */
const WEEKS = 8;
/** Weeks of them that must be known; a single one could be an exception. */
const LEAST_WEEKS = 2;
/** The variance of the median of n numbers is this many times that of their mean (pi / 2). */
const MEDIAN_LOSS = 1.57;

/** How far an hour may be shifted towards its neighbours: clocks change, and people are early or late. */
const SHIFT = 0.5;

/** The usual traffic of an hour. */
export interface Expectation {
  expected: number;
  /** The lowest and the highest of it if the day were a little early or late, or without a change of level. */
  least: number;
  most: number;
  /** The same hour on the quietest day of the week. */
  quiet: number;
  /** For `countScore`. */
  spread: number;
  /** How uncertain the expectation itself is: scores are divided by it. */
  doubt: number;
}

/**
 * The usual traffic of an hour: the median of the same hour in the weeks before, each scaled to the present level. Null as long as
 * too little is known.
 */
export function expectationAt(track: Track, hour: number): Expectation | null {
  const { fromHour, known, changedHour } = track;
  const at = hour - fromHour;
  const isChanged = changedHour !== null && changedHour < hour;
  const ratios = levelRatios(track, hour, WEEKS, isChanged ? changedHour : null);
  const usual = (offset: number, levels: readonly number[]) => {
    const values: number[] = [];
    for (let week = 1; week <= WEEKS; week += 1) {
      const value = (known[at - WEEK_HOURS * week + offset] as number) * (levels[week - 1] as number);
      if (value >= 0) values.push(value);
    }
    return { value: median(values), weeks: values.length };
  };
  const { value: expected, weeks } = usual(0, ratios);
  if (weeks < LEAST_WEEKS) return null;
  const shifted = (offset: number) => expected ** (1 - SHIFT) * usual(offset, ratios).value ** SHIFT;
  const around = [expected, shifted(-1), shifted(1)];
  if (isChanged) around.push(usual(0, levelRatios(track, changedHour, WEEKS, null)).value);
  const near = around.filter((value) => value >= 0);
  const days = [1, 2, 3, 4, 5, 6].map((day) => usual(DAY_HOURS * day, ratios).value).filter((value) => value >= 0);
  return {
    expected,
    least: Math.min(...near),
    most: Math.max(...near),
    quiet: Math.min(expected, ...days),
    spread: spreadOf(track, hour),
    doubt: Math.sqrt(1 + MEDIAN_LOSS / weeks),
  };
}

/** Hours of a day that must be known in both weeks. */
const LEAST_HOURS = 12;

/**
 * The ratio of traffic in the week up to `hour` to that one week, two weeks and so on before, up to `weeks`; NaN where it is unknown.
 * It is the median of seven days, so neither a holiday nor a campaign changes it. Hours before `sinceHour` are left out.
 */
function levelRatios({ known, fromHour }: Track, hour: number, weeks: number, sinceHour: number | null): number[] {
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

/** Weeks whose hours are compared with those a week before. */
const SPREAD_WEEKS = 4;
/** Every fifth hour: enough for a median, and within five days it covers every hour of the day. */
const STEP = 5;
/** Hours with fewer clicks say more about chance than about the project. */
const LEAST_COUNT = 5;
const LEAST_PAIRS = 30;
/** The spread without enough pairs: that of most projects, see docs/decisions/0025-anomalies.md. */
const UNKNOWN = 0.3;
/** No traffic is so even that new hours could be predicted more closely. */
const LEAST_SPREAD = 0.1;
const MOST_SPREAD = 0.8;
/** The standard deviation of a normal distribution is this many times its median absolute deviation (MAD). */
const MAD = 1.4826;

/** How far hours differ from those a week before beyond what chance explains, as a share. Robust: incidents do not widen it. */
export function spreadOf({ known, fromHour }: Track, hour: number): number {
  const ratios: number[] = [];
  const chances: number[] = [];
  const end = hour - fromHour;
  for (let at = Math.max(WEEK_HOURS, end - SPREAD_WEEKS * WEEK_HOURS); at < end; at += STEP) {
    const [count, before] = [known[at] as number, known[at - WEEK_HOURS] as number];
    if (!(count + before >= 2 * LEAST_COUNT)) continue;
    ratios.push(Math.log((count + 0.5) / (before + 0.5)));
    chances.push(1 / (count + 0.5) + 1 / (before + 0.5));
  }
  if (ratios.length < LEAST_PAIRS) return UNKNOWN;
  const middle = median(ratios);
  const width = MAD * median(ratios.map((ratio) => Math.abs(ratio - middle)));
  // Both hours vary.
  const spread = Math.sqrt(Math.max(0, (width ** 2 - median(chances)) / 2));
  return Math.min(MOST_SPREAD, Math.max(LEAST_SPREAD, spread));
}

/** The median of numbers; NaN without any. */
function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle] as number;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}
