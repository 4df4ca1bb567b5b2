/** How often a lasting outage is reported. */
const REPORT_MS = 60_000;
/** An outage is over when nothing failed for this long: everything that polls the store does so more often. */
const QUIET_MS = 10_000;

/** Writes a line about an outage. */
type Write = (level: 'warn' | 'info', fields: Record<string, unknown>, message: string) => void;

/**
 * Makes few lines of the many failures while the store is away: one when it begins, one a minute with their count, one when it is
 * over. Every part of a process meets the outage several times a second, and each would write its stack.
 */
export class OutageLog {
  #failures = 0;
  #failedAt = 0;
  #beganAt = 0;
  #reportedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly write: Write,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Counts a failure because of the outage. `message` says what failed. */
  record(error: Error, message: string): void {
    const now = this.now();
    this.#failedAt = now;
    this.#failures += 1;
    if (this.#timer) return;
    this.#failures = 1;
    this.#beganAt = now;
    this.#reportedAt = now;
    this.#timer = setInterval(() => this.check(), 1000).unref();
    this.write('warn', { reason: error.message }, `the store is away (${message}); failures are counted, not logged`);
  }

  /** Reports an outage that lasts or has ended. Called every second. */
  check(): void {
    const now = this.now();
    const seconds = Math.round((now - this.#beganAt) / 1000);
    if (now - this.#failedAt >= QUIET_MS) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      const ended = Math.round((this.#failedAt - this.#beganAt) / 1000);
      this.write('info', { failures: this.#failures, seconds: ended }, 'the store is back: nothing fails any more');
    } else if (now - this.#reportedAt >= REPORT_MS) {
      this.#reportedAt = now;
      this.write('warn', { failures: this.#failures, seconds }, 'the store is still away');
    }
  }
}
