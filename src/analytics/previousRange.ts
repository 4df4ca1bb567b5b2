import { DAY_MS } from '../kernel/clock.ts';
import { instantOf, wallTime } from './bucketStarts.ts';
import type { Range } from './readRange.ts';

/**
 * The range to compare with: as long, and right before. A range that begins with a day of `zone` is shifted by the days that it has
 * begun, as Plausible does: whole days are compared with whole days, also where clocks change, and today until now with yesterday
 * until this time. Null where it would begin before 1970: nothing happened then.
 */
export function previousRange({ start, end }: Range, zone: string): Range | null {
  const wall = wallTime(zone, start);
  const midnight = instantOf(zone, wall - (((wall % DAY_MS) + DAY_MS) % DAY_MS));
  const previous = midnight === start ? daysBefore({ start, end }, zone) : { start: start - (end - start), end: start };
  return previous.start < 0 ? null : previous;
}

function daysBefore({ start, end }: Range, zone: string): Range {
  const walls = { start: wallTime(zone, start), end: wallTime(zone, end) };
  const shiftMs = Math.ceil((walls.end - walls.start) / DAY_MS) * DAY_MS;
  const before = instantOf(zone, walls.start - shiftMs);
  // Never past the start: an hour that clocks show twice would be compared with itself.
  return { start: before, end: Math.min(start, instantOf(zone, walls.end - shiftMs)) };
}
