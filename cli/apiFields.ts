import { usageError } from './errors.ts';
import { textAt } from './flagValues.ts';

/** `name=value` as it was typed. */
export interface Field {
  name: string;
  value: unknown;
}

/** Reads `name=text`, or `name=value` where numbers, `true`, `null`, lists, objects and `@file` mean what they say. */
export async function fieldOf(typed: string, isTyped: boolean): Promise<Field> {
  const equals = typed.indexOf('=');
  if (equals < 1) throw usageError(`"${typed}" is no field: write it as name=value.`);
  const name = typed.slice(0, equals);
  const text = typed.slice(equals + 1);
  return { name, value: isTyped ? await typedValue(text, name) : text };
}

/** Puts the fields together: `utm[source]` stands in an object, `tags[]` in a list. */
export function nested(fields: Field[]): Record<string, unknown> {
  const whole: Record<string, unknown> = Object.create(null);
  for (const { name, value } of fields) put(whole, pathOf(name), value);
  return whole;
}

async function typedValue(text: string, name: string): Promise<unknown> {
  if (text.startsWith('@')) return textAt(text.slice(1), name);
  if (/^(-?\d|[[{"]|true$|false$|null$)/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}

function pathOf(name: string): string[] {
  const [, first = name, rest = ''] = /^([^[]+)((?:\[[^\]]*\])*)$/.exec(name) ?? [];
  return [first, ...[...rest.matchAll(/\[([^\]]*)\]/g)].map(([, inner = '']) => inner)];
}

// biome-ignore lint/suspicious/noExplicitAny: a tree of whatever was typed
function put(tree: any, [name = '', next, ...rest]: string[], value: unknown): void {
  const key = name === '' ? tree.length : name;
  if (next === undefined) {
    tree[key] = value;
    return;
  }
  if (!Object.hasOwn(tree, key)) tree[key] = next === '' ? [] : Object.create(null);
  put(tree[key], [next, ...rest], value);
}
