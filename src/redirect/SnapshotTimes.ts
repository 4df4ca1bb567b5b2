/** Shortest time between two snapshots. It doubles from one to the next in a row, as when a connection breaks again and again. */
const LEAST_PAUSE_MS = 10_000;
/** Longest time: which links are followed most changes without any announcement. */
const LONGEST_PAUSE_MS = 3_600_000;
/** How long the first snapshot waits until changes are heard: what changes before is in no stream. */
const FIRST_WAIT_MS = 5000;

/** When the next snapshot is due. Times are of the monotonic clock, in milliseconds. */
export class SnapshotTimes {
  readonly #everyMs: number;
  readonly #hears: () => boolean;
  readonly #nowMs: () => number;
  readonly #startedAt: number;
  #triedAt: number | null = null;
  #hasChanged = true;
  #isHurried = false;
  #wasHurried = false;
  /** Snapshots in a row that were hurried. */
  #hurries = 0;

  /** `hears`: whether changes are heard now. */
  constructor(everyMs: number, hears: () => boolean, nowMs = () => performance.now()) {
    this.#everyMs = everyMs;
    this.#hears = hears;
    this.#nowMs = nowMs;
    this.#startedAt = nowMs();
  }

  /** Whether something has changed since the last snapshot was begun. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  /** Something has changed. Returns whether the next snapshot is due earlier now. */
  change(): boolean {
    const wasUnchanged = !this.#hasChanged;
    this.#hasChanged = true;
    return wasUnchanged;
  }

  /** The last snapshot may be wrong, or what has changed since is too much. */
  hurry(): void {
    this.#hasChanged = true;
    this.#isHurried = true;
  }

  begin(): void {
    this.#wasHurried = this.#isHurried;
    this.#hurries = this.#isHurried ? this.#hurries + 1 : 0;
    this.#hasChanged = false;
    this.#isHurried = false;
    this.#triedAt = this.#nowMs();
  }

  end(isWritten: boolean): void {
    this.#triedAt = this.#nowMs();
    if (isWritten) return;
    this.#hasChanged = true;
    this.#isHurried ||= this.#wasHurried;
  }

  /** Milliseconds until the next snapshot is due; 0: now. */
  inMs(): number {
    const now = this.#nowMs();
    if (this.#triedAt === null) return this.#hears() ? 0 : Math.max(0, this.#startedAt + FIRST_WAIT_MS - now);
    return Math.max(0, this.#triedAt + this.#pauseMs() - now);
  }

  #pauseMs(): number {
    if (this.#isHurried) return Math.min(LEAST_PAUSE_MS * 2 ** this.#hurries, this.#everyMs);
    return this.#hasChanged ? this.#everyMs : Math.max(LONGEST_PAUSE_MS, this.#everyMs);
  }
}
