import { isSame, objectOrNull } from './formValues.ts';
import type { JsonObject } from './graphql.ts';
import { momentOf } from './localTimes.ts';

/**
 * How a value of the API is shown in a form, and how what the form shows is sent. Both are pure, and a pair: what nobody has
 * touched is sent as it was read (docs/decisions/0090).
 */
export interface Part<Wire, Value> {
  /** What the form shows; of null and undefined what the server does without the value. */
  read: (wire: Wire | null | undefined) => Value;
  /** Asked for changed values only. */
  write: (value: Value) => Wire | null;
  /** Sent also where it is empty, so that the server says what is wrong with it. */
  isRequired?: boolean;
}

type Json = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: the parts of a record have values of all kinds
type Parts = Record<string, Part<any, any>>;
// biome-ignore lint/suspicious/noExplicitAny: as above
type WireOf<Of> = Of extends Part<infer Wire, any> ? Wire : never;
// biome-ignore lint/suspicious/noExplicitAny: as above
type ValueOf<Of> = Of extends Part<any, infer Value> ? Value : never;

/** The values of a form, and what they were read from; null: something new. */
export type FormOf<Fields> = { -readonly [Name in keyof Fields]: ValueOf<Fields[Name]> } & { origin: object | null };
/** What the API takes. */
export type InputOf<Fields> = { -readonly [Name in keyof Fields]?: WireOf<Fields[Name]> | null };

/** A record of the API and its form. */
export interface RecordForm<Fields> {
  draftOf: (record: object | null) => FormOf<Fields>;
  /** All fields: those of what was read, below what was changed. */
  inputOf: (draft: FormOf<Fields>) => InputOf<Fields>;
  /** The changed fields alone. */
  changesOf: (draft: FormOf<Fields>) => InputOf<Fields>;
}

type WireName = (field: string) => string;
const asItIs: WireName = (field) => field;

/** The form of a record whose fields the page asks for by name. */
export function recordForm<Fields extends Parts>(fields: Fields): RecordForm<Fields> {
  const names = Object.keys(fields);
  const changesOf = (draft: FormOf<Fields>) => changesIn(fields, draft, asItIs) as InputOf<Fields>;
  return {
    draftOf: (record) => {
      const given = record as Json | null;
      const own = given && Object.fromEntries(names.filter((name) => name in given).map((name) => [name, given[name]]));
      return readAll(fields, own, asItIs);
    },
    inputOf: (draft) => ({ ...draft.origin, ...changesOf(draft) }),
    changesOf,
  };
}

/**
 * An object within a record, which the API replaces as a whole. Keys that the form does not know stay in it, and so do values
 * that the form cannot show. What is empty is left out, and an object of nothing is null.
 */
export function objectPart<Fields extends Parts>(fields: Fields): Part<InputOf<Fields>, FormOf<Fields>> {
  return objectBy(fields, asItIs);
}

/** The same in JSON, where keys are spelled as REST spells them. */
export function jsonPart<Fields extends Parts>(fields: Fields): Part<JsonObject, FormOf<Fields>> {
  return objectBy(fields, (field) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

function objectBy<Wire extends object, Fields extends Parts>(fields: Fields, wireName: WireName) {
  return {
    read: (wire: unknown) => readAll(fields, objectOrNull(wire), wireName),
    write: (value: FormOf<Fields>) => {
      const written: Json = { ...value.origin };
      for (const [key, changed] of Object.entries(changesIn(fields, value, wireName))) {
        if (changed === null) delete written[key];
        else written[key] = changed;
      }
      return Object.values(written).some((one) => one !== null) ? (written as Wire) : null;
    },
  };
}

function readAll<Fields extends Parts>(fields: Fields, origin: Json | null, wireName: WireName): FormOf<Fields> {
  const values = Object.entries(fields).map(([name, { read }]) => [name, read(origin?.[wireName(name)])]);
  return { ...Object.fromEntries(values), origin };
}

/** What does not show the same as what it was read from, and what must be sent and was not there. */
function changesIn<Fields extends Parts>(fields: Fields, values: FormOf<Fields>, wireName: WireName): Json {
  const origin: Json = { ...values.origin };
  const changes: Json = {};
  for (const [name, { read, write, isRequired }] of Object.entries(fields)) {
    const key = wireName(name);
    const value = values[name as keyof FormOf<Fields>];
    const isMissing = isRequired && !(key in origin);
    if (!isMissing && isSame(value, read(origin[key]))) continue;
    const written = write(value);
    if (isMissing || !isSame(written, origin[key])) changes[key] = written;
  }
  return changes;
}

/** An entry of a list, by an id for React alone. */
export type Entry<Value> = Value & { id: string };

/** A list of objects. Its entries take along what they were read from, wherever they are moved. */
export function listPart<Wire, Value extends object>(entry: Part<Wire, Value>): Part<Wire[], Entry<Value>[]> {
  return {
    // By its place, so that the same list gives the same entries each time it is read.
    read: (wires) => (Array.isArray(wires) ? wires : []).map((wire, at) => ({ ...entry.read(wire), id: String(at) })),
    write: (entries) => {
      const wires = entries.map(({ id: _, ...value }) => entry.write(value as unknown as Value) as Wire);
      return wires.length > 0 ? wires : null;
    },
  };
}

/** An id that no entry of a list that was read has, nor one that was added before a reload. */
export function newEntryId(): string {
  return `new ${Math.random().toString(36).slice(2)}`;
}

/** A text; spaces around it mean nothing, and an empty one is null. */
export const text: Part<string, string> = { read: textOf, write: (value) => value.trim() || null };

/** A text that must not be empty, which the server says. */
export const requiredText: Part<string, string> = { read: textOf, write: (value) => value.trim() };

export const texts: Part<string[], string[]> = { read: (wire) => [...(wire ?? [])], write: (values) => values };

/** A number as it is typed. */
export const number: Part<number, string> = {
  read: textOf,
  write: (value) => (value.trim() ? Number(value) : null),
};

/** A moment as the API has it, or as it was typed; `localTime` shows both. Empty: none. */
export const moment: Part<string, string> = {
  read: textOf,
  write: (value) => (value ? momentOf(value) : null),
};

/** A box, and what the server does where nothing is set. */
export function flag(isByDefault: boolean): Part<boolean, boolean> {
  return { read: (wire) => (typeof wire === 'boolean' ? wire : isByDefault), write: (value) => value };
}

/** A box that is left out where it is as it would be without. */
export function flagUnless(isByDefault: boolean): Part<boolean, boolean> {
  return { ...flag(isByDefault), write: (value) => (value === isByDefault ? null : value) };
}

/** The same part, which is sent also where it is as at the beginning. */
export function required<Wire, Value>(part: Part<Wire, Value>): Part<Wire, Value> {
  return { ...part, isRequired: true };
}

/** Values of other kinds, which a later version may have, are shown as JSON. */
function textOf(wire: unknown): string {
  if (wire === null || wire === undefined) return '';
  return typeof wire === 'string' ? wire : JSON.stringify(wire);
}
