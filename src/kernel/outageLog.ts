/** How often a lasting outage is reported. */
const REPORT_MS = 60_000;
/** An outage is over when nothing failed for this long: everything that polls the store does so more often. */
const QUIET_MS = 10_000;

/** What may be away. */
export type Outage = 'store' | 'disk';

interface OutageTexts {
  begins: string;
  lasts: string;
  ends: string;
}

const TEXTS: Record<Outage, OutageTexts> = {
  store: { begins: 'the store is away', lasts: 'the store is still away', ends: 'the store is back' },
  disk: {
    begins: 'files in DATA_DIR cannot be used',
    lasts: 'files in DATA_DIR still cannot be used',
    ends: 'files in DATA_DIR can be used again',
  },
};

/** Writes a line about an outage. */
type Write = (level: 'warn' | 'info', fields: Record<string, unknown>, message: string) => void;

/**
 * Makes few lines of the many failures while the store or the disk is away: one when it begins, one a minute with their count,
 * one when it is over. Every part of a process meets the outage several times a second, and each would write its stack.
 */
export class OutageLog {
  readonly #texts: OutageTexts;
  #failures = 0;
  #failedAt = 0;
  #beganAt = 0;
  #reportedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    outage: Outage,
    private readonly write: Write,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#texts = TEXTS[outage];
  }

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
    this.write(
      'warn',
      { reason: error.message },
      `${this.#texts.begins} (${message}); failures are counted, not logged`,
    );
  }

  /** Reports an outage that lasts or has ended. Called every second. */
  check(): void {
    const now = this.now();
    const seconds = Math.round((now - this.#beganAt) / 1000);
    if (now - this.#failedAt >= QUIET_MS) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      const ended = Math.round((this.#failedAt - this.#beganAt) / 1000);
      this.write('info', { failures: this.#failures, seconds: ended }, `${this.#texts.ends}: nothing fails any more`);
    } else if (now - this.#reportedAt >= REPORT_MS) {
      this.#reportedAt = now;
      this.write('warn', { failures: this.#failures, seconds }, this.#texts.lasts);
    }
  }
}
