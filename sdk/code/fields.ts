import { followed, type Schema } from './checkSchema.ts';
import { isPlain } from './compare.ts';
import { hostnameOf, KINDS_OF_SECTIONS, type Section, tagKey } from './sections.ts';
import type { Fields, Kind } from './types.ts';

/** The fields of a kind that a file can say, with what they are when it does not. */
export type FieldTable = Record<Kind, Map<string, unknown>>;

/** They name a thing, point to a secret, or are the file's own. */
const OTHER_FIELDS = new Set(['external_id', 'password', 'ignore', 'managed_by', 'slug', 'domain', 'scope', 'kind']);

/** Defaults that the server's schema does not spell out. */
const SERVER_DEFAULTS: Fields = { event_types: ['*'], max_in_flight: 10 };

/** Reads the fields and their defaults from the schema of the files. */
export function fieldTable(schema: Schema): FieldTable {
  const table = {} as FieldTable;
  for (const [section, kind] of Object.entries(KINDS_OF_SECTIONS)) {
    const properties = Object.entries(entrySchema(schema, section as Section).properties as Record<string, Schema>);
    table[kind] = new Map(
      properties.filter(([name]) => !OTHER_FIELDS.has(name)).map(([name, one]) => [name, defaultOf(name, one)]),
    );
  }
  return table;
}

/** The schema of an entry that is a group of fields. */
export function entrySchema(schema: Schema, section: Section): Schema {
  const { properties } = schema as { properties: Record<string, Schema> };
  const entries = followed(schema, followed(schema, properties[section] as Schema).additionalProperties as Schema);
  const alternatives = ((entries.oneOf ?? entries.anyOf ?? [entries]) as Schema[]).map((one) => followed(schema, one));
  const found = alternatives.find((one) => one.properties);
  if (!found) throw new Error(`The schema has no fields of ${section}`);
  return found;
}

function defaultOf(name: string, schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (name in SERVER_DEFAULTS) return SERVER_DEFAULTS[name];
  const types = [schema.type].flat();
  if (types.includes('array')) return [];
  if (types.includes('object')) return {};
  return types.includes('boolean') ? false : null;
}

/** The fields of groups: one that is missing is null. */
const GROUPS: Record<string, string[]> = {
  utm: ['source', 'medium', 'campaign', 'term', 'content'],
  preview: ['title', 'description', 'image_url'],
};

/** Spells a value so that what means the same is the same, whether the file says it or the server. */
export function normal(field: string, value: unknown): unknown {
  if (field in GROUPS) return group(value, GROUPS[field] as string[]);
  switch (field) {
    case 'starts_at':
    case 'expires_at':
      return typeof value === 'string' ? new Date(value).toISOString() : value;
    case 'tags':
      return [...new Map(((value ?? []) as string[]).map((name) => [tagKey(name), tagKey(name)])).values()].sort();
    case 'event_types':
      return [...new Set((value ?? ['*']) as string[])].sort();
    case 'domain':
      return typeof value === 'string' ? hostnameOf(value) : value;
    case 'data':
      return value ?? {};
    default:
      return value;
  }
}

/** Null where no field of the group says anything. */
function group(value: unknown, names: string[]): Fields | null {
  if (!isPlain(value) || names.every((name) => value[name] === null || value[name] === undefined)) return null;
  return Object.fromEntries(names.map((name) => [name, value[name] ?? null]));
}
