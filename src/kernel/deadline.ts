import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Waits for a result, and throws the error that `onTimeout` makes if it takes longer. The work itself continues. A process
 * that was blocked when the time ended reads what has arrived meanwhile before it gives up.
 */
export async function withTimeout<Result>(
  result: Promise<Result>,
  milliseconds: number,
  onTimeout: () => Error,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => void nextTurn().then(() => reject(onTimeout())), milliseconds);
  });
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** How often the watch checks that the process runs. */
const BEAT_MS = 250;
/** A beat that is this late counts as a pause; a shorter delay hardly matters to a timeout of seconds. */
const PAUSE_MS = 1000;

/**
 * Detects that this process did not run for more than a second: because a signal stopped it, its machine was suspended,
 * other processes starved it, or one long computation blocked it. A timeout meanwhile may be our fault and not the peer's.
 */
export class PauseWatch {
  #beatAt = performance.now();
  #beatWallMs = Date.now();
  #pauseEndedAt = Number.NEGATIVE_INFINITY;
  readonly #timer = setInterval(() => this.#beat(), BEAT_MS).unref();

  /** Whether there was a pause after `startedAt`, a time of `performance.now()`. */
  hasPausedSince(startedAt: number): boolean {
    this.#beat();
    return this.#pauseEndedAt >= startedAt;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    const nowMs = performance.now();
    const wallMs = Date.now();
    // While a machine is suspended its monotonic clock may stop; the wall clock does not.
    const gapMs = Math.max(nowMs - this.#beatAt, wallMs - this.#beatWallMs);
    if (gapMs > BEAT_MS + PAUSE_MS) this.#pauseEndedAt = nowMs;
    this.#beatAt = nowMs;
    this.#beatWallMs = wallMs;
  }
}
