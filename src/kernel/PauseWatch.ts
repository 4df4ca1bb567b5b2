/** The process shows itself so often that it runs. */
const BEAT_MS = 250;
/** A beat that is later than this is a pause; a shorter one takes little from a deadline of seconds. */
const PAUSE_MS = 1000;

/**
 * Notices that this process stood still for more than a second: stopped by a signal, suspended with its machine, starved
 * by others, or kept busy by one long computation. What was waited for meanwhile may be late because of us.
 */
export class PauseWatch {
  #beatAt = performance.now();
  #beatWallMs = Date.now();
  #pauseEndedAt = Number.NEGATIVE_INFINITY;
  readonly #timer = setInterval(() => this.#beat(), BEAT_MS).unref();

  /** Whether there was a pause at some time since `startedAt`, by `performance.now()`. */
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
    // On a machine that was suspended the monotonic clock may have stood still too; the other one has not.
    const gapMs = Math.max(nowMs - this.#beatAt, wallMs - this.#beatWallMs);
    if (gapMs > BEAT_MS + PAUSE_MS) this.#pauseEndedAt = nowMs;
    this.#beatAt = nowMs;
    this.#beatWallMs = wallMs;
  }
}
