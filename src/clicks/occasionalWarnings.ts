import { clock } from '../kernel/clock.ts';

const GAP_MS = 60_000;

/** Says each kind of warning at most once a minute, however often it is reached. */
export class OccasionalWarnings {
  readonly #say: ((message: string) => void) | undefined;
  readonly #saidAt = new Map<string, number>();

  constructor(say: ((message: string) => void) | undefined) {
    this.#say = say;
  }

  warn(kind: string, message: string): void {
    const now = clock.now();
    const before = this.#saidAt.get(kind);
    if (before !== undefined && now - before < GAP_MS) return;
    this.#saidAt.set(kind, now);
    this.#say?.(message);
  }
}
