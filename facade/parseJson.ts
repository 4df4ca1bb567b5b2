import { CodedError } from '../src/kernel/errors.ts';
import { isDeeperThan, MAX_NESTING } from '../src/kernel/nesting.ts';
import { parseLarge, TooDeep } from './parseLarge.ts';

/** From this size on a body is parsed piece by piece: some milliseconds' work at once. */
const LARGE = 512 * 1024;

/** As `parseJson`; of large bodies others are answered in between. */
export async function parseBody(bytes: Buffer): Promise<object> {
  if (bytes.length < LARGE) return parseJson(bytes);
  try {
    return objectIn(await parseLarge(textOf(bytes)));
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw error instanceof TooDeep ? tooDeep() : new CodedError('invalid_json', 'The body is not JSON.');
  }
}

/** The JSON object in a body. Throws `invalid_json`, which says where the body stops being JSON. */
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

/** Where a larger body breaks off is not looked for: it is read some twenty times for that. */
const MAX_LENGTH_TO_SEARCH = 256 * 1024;

function problemOf(text: string): string {
  if (text.trim() === '') return 'The body is empty. Send a JSON object, such as {}.';
  if (text.length > MAX_LENGTH_TO_SEARCH) return 'The body is not JSON.';
  const at = firstBadCharacter(text);
  if (at === null) return `The body is not JSON: it ends too early, in ${placeOf(text, text.length)}.`;
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return `The body is not JSON: unexpected ${JSON.stringify(sign)} in ${placeOf(text, at)}.${hintFor(sign, text.slice(0, at))}`;
}

/**
 * The index of the first character that cannot be there; null when only the end is missing. Messages of the parser do
 * not always tell, but a text that begins well and one that does not differ in what they are refused for.
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

/** Whether a text is JSON, or would be with more behind it. */
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

/** Lines and columns are counted from 1, as editors do. */
function placeOf(text: string, at: number): string {
  const before = text.slice(0, at).split(/\r\n|\n|\r/);
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

function hintFor(sign: string, before: string): string {
  if (/[}\]]/.test(sign) && /,\s*$/.test(before)) return ' There is a comma too many before it.';
  if (sign === "'") return ' Texts and names stand in double quotes.';
  return /[{,]\s*$/.test(before) && /[A-Za-z_]/.test(sign) ? ' Names stand in double quotes.' : '';
}
