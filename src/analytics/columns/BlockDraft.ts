import { DIMENSION_NAMES } from '../../clicks/dimensions.ts';
import { TRAFFIC_CLASSES } from './EventColumns.ts';
import type { ClickRow } from './readClicks.ts';

/** Events gathered by column. Keys have numbers of this draft only, from 1 in the order of arrival. */
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

  /** Adds rows, whose keys are those of the draft's dimensions in the same order. */
  add(rows: ClickRow[]): void {
    for (const row of rows) {
      this.at.push(row[1] - this.baseMs);
      this.high.push(visitorHigh(row[2]));
      this.low.push(visitorLow(row[2]));
      this.classes.push(TRAFFIC_CLASSES.indexOf(row[3]));
      for (let column = 0; column < this.columns.length; column += 1) {
        const { keys, numbers } = this.columns[column] as (typeof this.columns)[number];
        const key = row[column + 4] as string | null;
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

/**
 * The halves of 64 bits that identify a visitor within a day, made from the visitor's hash. That has 128 random bits, so these are
 * random too: among ten million visitors of a day, the chance that any two collide is 1 in 370,000.
 */
function visitorHigh(visitor: string): number {
  return mix(visitor, 0x41c6ce57);
}

function visitorLow(visitor: string): number {
  return mix(visitor, 0xdeadbeef);
}

function mix(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x5bd1e995);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
