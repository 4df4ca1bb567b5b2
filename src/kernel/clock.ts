/** The one source of time. Tests put their own clock here; nothing else calls `Date.now()` for product time. */
export interface Clock {
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

/** The present moment as a Date. */
export function now(): Date {
  return new Date(clock.now());
}

/** The present moment plus a number of seconds. */
export function inSeconds(seconds: number): Date {
  return new Date(clock.now() + seconds * 1000);
}
