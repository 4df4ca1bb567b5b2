import { randomUUID } from 'node:crypto';
import { CodedError } from '../src/kernel/errors.ts';
import { isDeeperThan, MAX_NESTING } from '../src/kernel/wire.ts';
import { yieldToEventLoop } from '../src/kernel/yield.ts';

/** A larger body is parsed in pieces, because parsing it at once would block the process for milliseconds. */
const LARGE = 512 * 1024;

/** Like `parseJson`, but yields to other requests while it parses a large body. */
export async function parseBody(bytes: Buffer): Promise<object> {
  if (bytes.length < LARGE) return parseJson(bytes);
  try {
    return objectIn(await parseLarge(textOf(bytes)));
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw error instanceof TooDeep ? tooDeep() : new CodedError('invalid_json', 'The body is not JSON.');
  }
}

/** The JSON object in a body. Throws `invalid_json`, which names the line and column of the error. */
export function parseJson(bytes: Buffer): object {
  const value = objectIn(valueIn(textOf(bytes)));
  if (isDeeperThan(value, MAX_NESTING)) throw tooDeep();
  return value;
}

function objectIn(value: unknown): object {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    const found = value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
    throw new CodedError('invalid_json', `The body must be a JSON object; this is ${found}.`);
  }
  return value;
}

function tooDeep(): CodedError {
  return new CodedError('invalid_json', `The body nests deeper than ${MAX_NESTING} levels.`);
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CodedError('invalid_json', 'The body is not UTF-8.');
  }
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CodedError('invalid_json', problemOf(text));
  }
}

/** The error in a larger body is not located: the search parses the body some twenty times, a millisecond each. */
const MAX_LENGTH_TO_SEARCH = 64 * 1024;

function problemOf(text: string): string {
  if (text.trim() === '') return 'The body is empty. Send a JSON object, such as {}.';
  if (text.length > MAX_LENGTH_TO_SEARCH) return 'The body is not JSON.';
  const at = firstBadCharacter(text);
  if (at === null) return `The body is not JSON: it ends too early, in ${placeOf(text, text.length)}.`;
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return `The body is not JSON: unexpected ${JSON.stringify(sign)} in ${placeOf(text, at)}.${hintFor(sign, text.slice(0, at))}`;
}

/**
 * The index of the first wrong character; null when only the end is missing. The parser does not always report it, but its
 * error shows whether a prefix of the text is valid so far, which allows a binary search.
 */
function firstBadCharacter(text: string): number | null {
  if (couldGoOn(text)) return null;
  let good = 0;
  let bad = text.length;
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (couldGoOn(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return bad - 1;
}

/** Whether a text is JSON, or the start of valid JSON. */
function couldGoOn(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const at = /at position (\d+)/.exec(message)?.[1];
    return /^Unexpected end|^Unterminated/.test(message) || (at !== undefined && Number(at) >= text.length);
  }
}

/** Lines and columns count from 1, as in editors. */
function placeOf(text: string, at: number): string {
  const before = text.slice(0, at).split(/\r\n|\n|\r/);
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

function hintFor(sign: string, before: string): string {
  if (/[}\]]/.test(sign) && /,\s*$/.test(before)) return ' Remove the comma before it.';
  if (sign === "'") return ' Use double quotes for strings and names.';
  return /[{,]\s*$/.test(before) && /[A-Za-z_]/.test(sign) ? ' Put names in double quotes.' : '';
}

/** It nests deeper than MAX_NESTING levels. */
class TooDeep extends Error {}

/** Tokens between two looks at the time. */
const TOKENS_PER_LOOK = 2000;
/** The largest entry of a list: as large as the body of a call about one. */
const MAX_ENTRY = 256 * 1024;
/** What may stand around the entries, blanks not counted, such as a thousand ids of 255 characters. */
const MAX_AROUND = 512 * 1024;
const BLANKS = /[ \t\r\n]+/g;

/** An object or list that stands in a list of the outermost object, such as one link of a bulk call. */
interface Entry {
  from: number;
  to: number;
}

/**
 * Parses the entries of the outermost lists each by itself, with pauses in which others are answered, and what is around
 * them with a mark in the place of each. What JSON is remains JSON.parse's word: every character passes through it.
 */
async function parseLarge(text: string): Promise<unknown> {
  const pause = yieldToEventLoop();
  const mark = randomUUID();
  const entries: unknown[] = [];
  let around = '';
  let aroundSize = 0;
  let at = 0;
  const keep = (piece: string) => {
    around += piece;
    aroundSize += piece.replace(BLANKS, '').length;
    if (aroundSize > MAX_AROUND)
      throw tooLarge(`What is in the body besides the entries of its lists is larger than ${MAX_AROUND / 1024} KiB.`);
  };
  for await (const { from, to } of entriesOf(text, pause)) {
    if (to - from > MAX_ENTRY) throw tooLarge(`An entry of a list in the body is larger than ${MAX_ENTRY / 1024} KiB.`);
    keep(`${text.slice(at, from)}"${mark}${entries.length}"`);
    entries.push(JSON.parse(text.slice(from, to)));
    at = to;
  }
  keep(text.slice(at));
  const value: unknown = JSON.parse(around);
  if (value === null || typeof value !== 'object') return value;
  const place = (item: unknown) =>
    typeof item === 'string' && item.startsWith(mark) ? entries[Number(item.slice(mark.length))] : item;
  for (const [name, list] of Object.entries(value)) {
    if (Array.isArray(list)) Object.defineProperty(value, name, { ...PLAIN, value: list.map(place) });
  }
  return value;
}

function tooLarge(message: string): CodedError {
  return new CodedError('payload_too_large', message);
}

/** As JSON.parse makes properties, also one that is called __proto__. */
const PLAIN = { configurable: true, enumerable: true, writable: true };

/** Brackets outside of strings say where an entry begins and ends; where they do not match, JSON.parse refuses the rest. */
async function* entriesOf(text: string, pause: () => Promise<void>): AsyncGenerator<Entry> {
  const open: string[] = [];
  let from = -1;
  const structure = /["[\]{}]/g;
  let tokens = 0;
  for (let found = structure.exec(text); found; found = structure.exec(text)) {
    const [sign] = found;
    tokens += 1;
    if (tokens % TOKENS_PER_LOOK === 0) await pause();
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
