import { isSame, objectOrNull } from '../../kernel/formValues.ts';
import type { JsonObject } from '../../kernel/graphql.ts';
import { momentOf } from '../../kernel/localTimes.ts';
import type { Part } from '../../kernel/recordForm.ts';

/** What a rule can ask of a visitor, in the order in which it is offered. */
export const CONDITION_KINDS = [
  'platform',
  'device',
  'country',
  'language',
  'referrer_host',
  'query',
  'after',
  'before',
] as const;
export type ConditionKind = (typeof CONDITION_KINDS)[number];

/** One condition of a rule: `country is DE, AT`. Queries are `name` or `name=value`; a time is one value, empty before it is typed. */
export interface Condition {
  id: string;
  kind: ConditionKind;
  isNegated: boolean;
  values: string[];
}

/** The conditions of a rule, and what they were read from. */
export interface When {
  conditions: Condition[];
  origin: object | null;
}

type Side = Record<string, unknown>;
interface QueryEntry {
  name: string;
  value?: string | null;
}

/**
 * The conditions of a rule. The API has one of each kind, and one more of each below `not`: of several in the form it gets what
 * they mean together. What a later version may have stored, and this one cannot show, stays.
 */
export const whenPart: Part<JsonObject, When> = {
  read: (wire) => {
    const when = objectOrNull(wire);
    return { conditions: [...conditionsOf(when, false), ...conditionsOf(objectOrNull(when?.not), true)], origin: when };
  },
  write: ({ conditions, origin }) => {
    const before = origin as Side | null;
    const notBefore = objectOrNull(before?.not);
    const not = writeSide(conditions, true, notBefore);
    const when = writeSide(conditions, false, before);
    if (Object.keys(not).length > 0) when.not = not;
    else if (notBefore) delete when.not;
    return when as JsonObject;
  },
  isRequired: true,
};

export function isTime(kind: ConditionKind): kind is 'after' | 'before' {
  return kind === 'after' || kind === 'before';
}

function conditionsOf(side: Side | null, isNegated: boolean): Condition[] {
  return CONDITION_KINDS.flatMap((kind) => {
    const values = valuesOf(kind, side?.[kind]);
    return values === null || values.length === 0
      ? []
      : [{ id: `${isNegated ? 'not ' : ''}${kind}`, kind, isNegated, values }];
  });
}

/** The values of a condition as the form shows them; null where it cannot. */
function valuesOf(kind: ConditionKind, given: unknown): string[] | null {
  if (given === undefined || given === null) return [];
  if (isTime(kind)) return typeof given === 'string' ? [given] : null;
  if (!Array.isArray(given)) return null;
  if (kind !== 'query') return given.every((value) => typeof value === 'string') ? [...given] : null;
  return given.every((entry) => typeof entry?.name === 'string') ? given.map(textOfQuery) : null;
}

function kindOf(name: string): ConditionKind | undefined {
  return CONDITION_KINDS.find((kind) => kind === name);
}

/** Whether it is a condition that the form cannot show. */
export function isUnknown(name: string, given: unknown): boolean {
  const kind = kindOf(name);
  return given !== null && (kind === undefined || valuesOf(kind, given) === null);
}

/** Whether there is a row for it: not for what cannot be shown, nor for what asks nothing. */
function isShown(name: string, given: unknown): boolean {
  const kind = kindOf(name);
  return kind !== undefined && (valuesOf(kind, given)?.length ?? 0) > 0;
}

/** What stands on one side, in the order in which it stood, and then what was added. */
function writeSide(conditions: readonly Condition[], isNegated: boolean, origin: Side | null): Side {
  const wanted = new Map<string, unknown>();
  for (const kind of CONDITION_KINDS) {
    const rows = conditions.filter((one) => one.kind === kind && one.isNegated === isNegated);
    if (rows.length === 0) continue;
    const values = together(kind, isNegated, rows);
    const given = origin?.[kind];
    const isAsRead = given !== undefined && isSame(values, valuesOf(kind, given));
    wanted.set(kind, isAsRead ? given : writtenValue(kind, values, given));
  }
  const side: Side = {};
  for (const [name, given] of Object.entries(origin ?? {})) {
    if (wanted.has(name)) side[name] = wanted.get(name);
    else if (!isShown(name, given)) side[name] = given;
  }
  return { ...side, ...Object.fromEntries(wanted) };
}

/**
 * What several conditions of a kind mean together. Values of a list are alternatives, and none of them may hold where they are
 * negated, so all go into one list. Of several times the narrowest counts: an empty one too, which the server refuses.
 */
function together(kind: ConditionKind, isNegated: boolean, rows: readonly Condition[]): string[] {
  const [only] = rows;
  if (only && rows.length === 1) return only.values;
  if (!isTime(kind)) return [...new Set(rows.flatMap(({ values }) => values))];
  const times = rows.map(({ values }) => values[0] ?? '');
  if (times.includes('')) return [''];
  const inOrder = times.toSorted((one, other) => Date.parse(one) - Date.parse(other));
  return [((kind === 'after') !== isNegated ? inOrder.at(-1) : inOrder[0]) ?? ''];
}

/** The value for the API. Entries that stood there before stay as they were. */
function writtenValue(kind: ConditionKind, values: readonly string[], given: unknown): unknown {
  if (isTime(kind)) return momentOf(values[0] ?? '');
  if (kind !== 'query') return values;
  const left = Array.isArray(given) && valuesOf(kind, given) !== null ? [...(given as QueryEntry[])] : [];
  return values.map((value) => {
    const at = left.findIndex((entry) => textOfQuery(entry) === value);
    return at < 0 ? queryOf(value) : left.splice(at, 1)[0];
  });
}

function textOfQuery({ name, value }: QueryEntry): string {
  return value === undefined || value === null ? name : `${name}=${value}`;
}

function queryOf(value: string): QueryEntry {
  const at = value.indexOf('=');
  return at < 0 ? { name: value } : { name: value.slice(0, at), value: value.slice(at + 1) };
}
