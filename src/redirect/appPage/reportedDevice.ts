import { isTimeZone } from '../../kernel/timeZones.ts';
import type { Screen } from '../../matching/deviceFacts.ts';

/** What the page tells of the device that it is shown on. */
export interface ReportedDevice {
  /** As `Europe/Berlin`. */
  timezone: string;
  screen: Screen;
}

/** The longest names of zones have some 30 characters. */
const MAX_ZONE_LENGTH = 64;
/** CSS pixels: far more than any display has. */
const MAX_SIDE = 100_000;
/** Phones have up to 4. */
const MAX_SCALE = 10;

/** The device of a report: JSON with these fields and no others. Null: it is none. Never throws. */
export function reportedDevice(json: string): ReportedDevice | null {
  const { timezone, screen } = fieldsOf(parse(json), ['timezone', 'screen']) ?? {};
  const { width, height, scale } = fieldsOf(screen, ['width', 'height', 'scale']) ?? {};
  if (!isZone(timezone) || !isUpTo(MAX_SIDE, width) || !isUpTo(MAX_SIDE, height) || !isUpTo(MAX_SCALE, scale))
    return null;
  return { timezone, screen: { width, height, scale } };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** The value as an object if it has exactly these fields. */
function fieldsOf(value: unknown, names: readonly string[]): Record<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== names.length) return null;
  return names.every((name) => Object.hasOwn(value, name)) ? (value as Record<string, unknown>) : null;
}

function isUpTo(most: number, value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= most;
}

function isZone(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_ZONE_LENGTH && isTimeZone(value);
}
