import { bisectLeft } from 'd3-array';
import { scaleUtc } from 'd3-scale';
import { language } from '../../kernel/language.ts';
import { type Granularity, type Series, type SeriesPoint, wallOf } from './series.ts';

const DAY_MS = 86_400_000;

/** Space for a label and the gap after it. */
const LABEL_PX = 68;
/** Of a figure or letter at 12 px; wide enough for capitals. */
const LETTER_PX = 7;
const GAP_PX = 12;

export interface Tick {
  index: number;
  label: string;
}

/**
 * The labels below a series that stand `step` pixels apart. The clocks of the zone decide, so a day begins at its midnight.
 * Labels never overlap: one that would is left out.
 */
export function timeTicks(series: Series, xOf: (index: number) => number, width: number): Tick[] {
  const walls = series.points.map(({ at }) => wallOf(series, at));
  const [first, last] = [walls[0], walls.at(-1)];
  if (first === undefined || last === undefined) return [];
  if (first === last) return [{ index: 0, label: tickLabel(first, series.granularity) }];
  const most = Math.max(2, Math.floor(width / LABEL_PX));
  // Where there is space, every bucket has its label; the scale would choose fewer, and leave out today.
  const wanted =
    walls.length <= most ? walls.map((wall) => new Date(wall)) : scaleUtc([first, last], [0, 1]).ticks(most);
  const ticks: Tick[] = [];
  let free = 0;
  for (const time of wanted) {
    const wall = time.getTime();
    // A day has no hours of its own.
    if (series.granularity !== 'minute' && series.granularity !== 'hour' && wall % DAY_MS !== 0) continue;
    const index = bisectLeft(walls, wall);
    if (index >= walls.length || ticks.at(-1)?.index === index) continue;
    const label = tickLabel(wall, series.granularity);
    const half = (label.length * LETTER_PX) / 2;
    const x = xOf(index);
    if (x - half < free || x + half > width) continue;
    free = x + half + GAP_PX;
    ticks.push({ index, label });
  }
  return ticks;
}

function tickLabel(wall: number, granularity: Granularity): string {
  if (wall % DAY_MS !== 0) return formats.clock.format(wall);
  const date = new Date(wall);
  if (granularity !== 'month') return formats.day.format(date);
  return date.getUTCMonth() === 0 ? formats.year.format(date) : formats.month.format(date);
}

/** What a bucket is called where its figure is read: `Tue, 24 Nov, 14:00`, `Week of 23 Nov 2026`, `November 2026`. */
export function bucketName(series: Series, { at }: SeriesPoint): string {
  return nameFormats[series.granularity].format(wallOf(series, at));
}

const utc = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });

const formats = {
  clock: utc({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  day: utc({ day: 'numeric', month: 'short' }),
  month: utc({ month: 'short' }),
  year: utc({ year: 'numeric' }),
};

const clockName = utc({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

const nameFormats: Record<Granularity, Intl.DateTimeFormat> = {
  minute: clockName,
  hour: clockName,
  day: utc({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
  week: utc({ day: 'numeric', month: 'short', year: 'numeric' }),
  month: utc({ month: 'long', year: 'numeric' }),
};
