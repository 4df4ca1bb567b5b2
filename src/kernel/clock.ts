/** The only source of product time, which tests replace: nothing else calls `Date.now()` for it. */
interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

let current: Clock = { now: Date.now };

export const clock: Clock & { use(other: Clock): void; reset(): void } = {
  now: () => current.now(),
  use(other) {
    current = other;
  },
  reset() {
    current = { now: Date.now };
  },
};

/** The current time. */
export function now(): Date {
  return new Date(clock.now());
}

/** The current time plus a number of seconds. */
export function inSeconds(seconds: number): Date {
  return new Date(clock.now() + seconds * 1000);
}

export const DAY_MS = 86_400_000;

/** The number of the UTC day of a time, counted from the epoch. */
export function dayOf(epochMs: number): number {
  return Math.floor(epochMs / DAY_MS);
}

/** Length of the finest rollups: in every time zone of today days begin on a multiple of it. */
export const QUARTER_MS = 15 * 60_000;
export const QUARTERS_A_DAY = DAY_MS / QUARTER_MS;

/** Whether `name` is an IANA time zone such as `Europe/Berlin`. Offsets such as `+01:00` are not. */
export function isTimeZone(name: string): boolean {
  return canonicalZone(name) !== null && !/^[+-]/.test(name);
}

/** The canonical name of a time zone that may have several names; null if there is no such zone. */
export function canonicalZone(name: string): string | null {
  try {
    return name ? new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone : null;
  } catch {
    return null;
  }
}
