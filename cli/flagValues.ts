import { readFile } from 'node:fs/promises';
import type { Flag, Operation } from './describeOperations.ts';
import { kebab } from './describeOperations.ts';
import { usageError } from './errors.ts';
import { readStdin } from './prompts.ts';

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const DURATION = /^(\d+)([smhdw])$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
/** Fields of bodies that look back; the others look forward: `--expires-at 30d` is in thirty days. */
const LOOKS_BACK = ['since', 'until'];

/** What the flags of an operation say, as its query and body. Fields that were not said are left out. */
export async function valuesOf(
  operation: Operation,
  given: Record<string, unknown>,
): Promise<{ query: Record<string, unknown>; body: Record<string, unknown> }> {
  const values = { query: {} as Record<string, unknown>, body: {} as Record<string, unknown> };
  for (const flag of operation.flags) {
    const value = given[flag.name];
    if (value !== undefined) values[flag.place][flag.name] = await readFlag(flag, value);
  }
  for (const name of (given.unset as string[] | undefined) ?? []) {
    values.body[nullable(operation, name).name] = null;
  }
  return values;
}

/** Splits at commas; a list in JSON may have commas in its texts. */
export function listOf(text: string, earlier: string[] = []): string[] {
  if (!text.startsWith('[')) return [...earlier, ...text.split(',').filter((part) => part !== '')];
  const list = parseJson(text, 'the list');
  return [...earlier, ...(Array.isArray(list) ? list.map(String) : [])];
}

/** JSON as it was typed, `@file`, or `@-` for stdin. */
export async function jsonOf(text: string, flag: string): Promise<unknown> {
  if (!text.startsWith('@')) return parseJson(text, flag);
  return parseJson(await textAt(text.slice(1), flag), `${flag} ${text}`);
}

/** The text of a file; `-` is stdin. */
export async function textAt(file: string, flag: string): Promise<string> {
  if (file === '-') return readStdin();
  return readFile(file, 'utf8').catch((error: Error) => {
    throw usageError(`${flag}: ${file} cannot be read: ${error.message}`);
  });
}

/** A time as people write it: ISO 8601, a date, or a duration from now such as `2h` and `30d`. */
export function timeOf(text: string, { isPast }: { isPast: boolean }, now = Date.now()): string {
  const [, count, unit] = DURATION.exec(text) ?? [];
  if (count && unit) {
    const distanceMs = Number(count) * (UNITS[unit] ?? 0) * 1000;
    return new Date(now + (isPast ? -distanceMs : distanceMs)).toISOString();
  }
  return DATE.test(text) ? `${text}T00:00:00Z` : text;
}

async function readFlag(flag: Flag, value: unknown): Promise<unknown> {
  const spelled = `--${kebab(flag.name)}`;
  switch (flag.kind) {
    case 'json':
      return jsonOf(value as string, spelled);
    case 'number':
      return numberOf(value as string, spelled);
    case 'time':
      return timeOf(value as string, { isPast: flag.place === 'query' || LOOKS_BACK.includes(flag.name) });
    default:
      return value;
  }
}

function numberOf(text: string, flag: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number))
    throw usageError(`${flag} takes a number, and "${text}" is none.`);
  return number;
}

function nullable({ flags, words }: Operation, name: string): Flag {
  const flag = flags.find((each) => each.isNullable && (each.name === name || kebab(each.name) === name));
  if (flag) return flag;
  const names = flags.filter(({ isNullable }) => isNullable).map((each) => kebab(each.name));
  throw usageError(`svc ${words.join(' ')} --unset takes ${names.join(', ')}, and not "${name}".`);
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usageError(`${what} is no JSON: ${(error as Error).message}`);
  }
}
