import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CsvRow } from '../../imports/readCsv.ts';
import { config } from '../../kernel/config.ts';
import { decideRows } from './decideRows.ts';
import type { Halt, ImportRun } from './importRun.ts';
import { runBatch } from './runBatch.ts';

const NOTHING: ReadonlySet<string> = new Set();

/** Rows on their way into the store: while one batch is written, it is decided about the next. */
export class Pipeline {
  readonly #run: ImportRun;
  readonly #signal: AbortSignal;
  #waiting: CsvRow[] = [];
  #size = config.importBatchRows;
  #writing: Promise<Halt> = Promise.resolve(null);
  /** What the rows that are being written are known by. */
  #inHand = NOTHING;

  /** Stops between two batches when `signal` says so. */
  constructor(run: ImportRun, signal: AbortSignal) {
    this.#run = run;
    this.#signal = signal;
  }

  /** Takes the next row. Gives what stopped the import, null as long as nothing has. */
  async take(row: CsvRow): Promise<Halt> {
    this.#waiting.push(row);
    while (this.#waiting.length >= config.importBatchRows) {
      const halt = await this.#batch();
      if (halt) return halt;
    }
    return null;
  }

  /** Writes what is left; when it is null, all rows are in the store. */
  async finish(): Promise<Halt> {
    while (this.#waiting.length > 0) {
      const halt = await this.#batch();
      if (halt) return halt;
    }
    return this.#writing;
  }

  /** Waits until nothing is being written, however that ends. */
  async settle(): Promise<void> {
    await this.#writing.catch(() => {});
  }

  async #batch(): Promise<Halt> {
    if (this.#signal.aborted) return (await this.#writing) ?? 'stopping';
    const deciding = decideRows(this.#run, this.#waiting.slice(0, this.#size), this.#inHand);
    const [{ decisions, marks }, halt] = await Promise.all([deciding, this.#writing]);
    this.#inHand = NOTHING;
    if (halt) return halt;
    // Nothing: the first row is about what was in hand until now.
    if (decisions.length === 0) return null;
    // Where rows name the same links again and again, most of a large batch would be read in vain each time.
    this.#size = Math.min(decisions.length * 2, config.importBatchRows);
    this.#waiting = this.#waiting.slice(decisions.length);
    this.#inHand = marks;
    this.#writing = runBatch(this.#run, decisions);
    // Whoever waits for it next is told.
    this.#writing.catch(() => {});
    // Redirects and requests of the same process have their turn between two batches.
    await nextTurn();
    return null;
  }
}
