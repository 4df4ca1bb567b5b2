import { randomUUID } from 'node:crypto';
import { MAX_NESTING } from '../src/kernel/nesting.ts';
import { sliced } from '../src/kernel/sliced.ts';

/** It nests deeper than MAX_NESTING levels. */
export class TooDeep extends Error {}

/** An object or list that stands in a list of the outermost object, such as one link of a bulk call. */
interface Entry {
  from: number;
  to: number;
}

/**
 * Parses the entries of the outermost lists each by itself, with pauses in which others are answered, and what is around
 * them with a mark in the place of each. What JSON is remains JSON.parse's word: every character passes through it.
 */
export async function parseLarge(text: string): Promise<unknown> {
  const pause = sliced();
  const mark = randomUUID();
  const entries: unknown[] = [];
  let around = '';
  let at = 0;
  for await (const { from, to } of entriesOf(text, pause)) {
    around += `${text.slice(at, from)}"${mark}${entries.length}"`;
    entries.push(JSON.parse(text.slice(from, to)));
    at = to;
  }
  const value: unknown = JSON.parse(around + text.slice(at));
  if (value === null || typeof value !== 'object') return value;
  const place = (item: unknown) =>
    typeof item === 'string' && item.startsWith(mark) ? entries[Number(item.slice(mark.length))] : item;
  for (const [name, list] of Object.entries(value)) {
    if (Array.isArray(list)) Object.defineProperty(value, name, { ...PLAIN, value: list.map(place) });
  }
  return value;
}

/** As JSON.parse makes properties, also one that is called __proto__. */
const PLAIN = { configurable: true, enumerable: true, writable: true };

/** Brackets outside of strings say where an entry begins and ends; where they do not match, JSON.parse refuses the rest. */
async function* entriesOf(text: string, pause: () => Promise<void>): AsyncGenerator<Entry> {
  const open: string[] = [];
  let from = -1;
  const structure = /["[\]{}]/g;
  for (let found = structure.exec(text); found; found = structure.exec(text)) {
    const [sign] = found;
    if (sign === '"') structure.lastIndex = endOfString(text, found.index);
    else if (sign === '{' || sign === '[') {
      if (open.length === 2 && open[0] === '{' && open[1] === '[') from = found.index;
      open.push(sign);
      if (open.length > MAX_NESTING) throw new TooDeep();
    } else {
      open.pop();
      if (open.length !== 2 || from < 0) continue;
      yield { from, to: found.index + 1 };
      from = -1;
      await pause();
    }
  }
}

/** Behind the closing quote; of a string that does not end, the end of the text. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}
