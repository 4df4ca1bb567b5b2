/**
 * Work that may run beside its like (`shared`) and work that runs alone (`alone`), in the order of asking. What fails
 * holds nobody up.
 */
export class Turns {
  /** Resolves when the last work that runs alone has ended. */
  #alone: Promise<unknown> = Promise.resolve();
  readonly #shared = new Set<Promise<unknown>>();

  shared<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#alone.then(work);
    const ended: Promise<unknown> = mine.catch(() => {}).then(() => this.#shared.delete(ended));
    this.#shared.add(ended);
    return mine;
  }

  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = Promise.all([this.#alone, ...this.#shared]).then(work);
    this.#alone = mine.catch(() => {});
    return mine;
  }
}
