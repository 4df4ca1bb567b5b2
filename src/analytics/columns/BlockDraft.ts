import { DIMENSION_NAMES } from '../clicks/dimensions.ts';
import { TRAFFIC_CLASSES } from './Part.ts';
import type { ClickRow } from './readClicks.ts';
import { visitorHigh, visitorLow } from './visitorNumber.ts';

/** Clicks gathered column by column. Keys have numbers of this draft alone, from 1 in the order in which they came. */
export class BlockDraft {
  readonly at: number[] = [];
  readonly high: number[] = [];
  readonly low: number[] = [];
  readonly classes: number[] = [];
  readonly columns: { dimension: string; numbers: number[]; keys: Map<string, number> }[];

  constructor(
    readonly baseMs: number,
    readonly dimensions: readonly string[] = DIMENSION_NAMES,
  ) {
    this.columns = dimensions.map((dimension) => ({ dimension, numbers: [], keys: new Map() }));
  }

  get length(): number {
    return this.at.length;
  }

  /** Rows with the keys of the draft's dimensions, in their order. */
  add(rows: ClickRow[]): void {
    for (const row of rows) {
      this.at.push(row[1] - this.baseMs);
      this.high.push(visitorHigh(row[2]));
      this.low.push(visitorLow(row[2]));
      this.classes.push(TRAFFIC_CLASSES.indexOf(row[3]));
      for (let place = 0; place < this.columns.length; place += 1) {
        const { keys, numbers } = this.columns[place] as (typeof this.columns)[number];
        const key = row[place + 4] as string | null;
        if (!key) {
          numbers.push(0);
          continue;
        }
        let number = keys.get(key);
        if (number === undefined) {
          number = keys.size + 1;
          keys.set(key, number);
        }
        numbers.push(number);
      }
    }
  }
}
