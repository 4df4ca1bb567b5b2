import type { Manifest } from '../manifest.ts';
import type { Json } from '../openapi/parts.ts';

type Schemas = Manifest['schemas'];

/** A schema as people read types: `string`, `Link | null`, `"a" | "b"`, `{ name: string }`. */
export function typeText(schema: Json): string {
  if (typeof schema.$ref === 'string') return nameOfRef(schema.$ref);
  const branches = (schema.oneOf ?? schema.anyOf) as Json[] | undefined;
  if (branches) return [...new Set(branches.map(typeText))].join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const types = [schema.type ?? 'any'].flat() as string[];
  return types.map((type) => ofType(type, schema)).join(' | ');
}

function ofType(type: string, schema: Json): string {
  if (type === 'array') {
    const inner = typeText((schema.items ?? {}) as Json);
    return inner.includes(' | ') ? `(${inner})[]` : `${inner}[]`;
  }
  if (type !== 'object') return type;
  const fields = fieldsOf(schema);
  if (fields.length === 0) return 'object';
  return `{ ${fields.map(({ name, isRequired, schema }) => `${name}${isRequired ? '' : '?'}: ${typeText(schema)}`).join('; ')} }`;
}

export interface Field {
  name: string;
  isRequired: boolean;
  description: string | null;
  schema: Json;
}

/** The fields of an object in the order of the schema. */
export function fieldsOf({ properties = {}, required = [] }: Json): Field[] {
  const needed = new Set(required as string[]);
  return Object.entries(properties as Record<string, Json>).map(([name, schema]) => ({
    name,
    isRequired: needed.has(name),
    description: (schema.description as string | undefined) ?? null,
    schema,
  }));
}

/** Larger numbers are the ends of what a column holds, and say nothing. */
const MAX_SAID = 1e9;

/** What a value must keep to besides its type: `1–100, default 50`. Empty if there is nothing to say. */
export function limitsText({ maxLength, maxItems, default: preset, ...schema }: Json): string {
  const said = [
    rangeText(schema),
    maxLength !== undefined && !schema.enum ? `≤ ${maxLength} characters` : null,
    maxItems !== undefined ? `≤ ${maxItems} items` : null,
    preset !== undefined && preset !== null ? `default ${JSON.stringify(preset)}` : null,
  ];
  return said.filter(Boolean).join(', ');
}

function rangeText({ minimum, maximum }: Json): string | null {
  const isSaid = (limit: unknown) => limit !== undefined && Math.abs(Number(limit)) < MAX_SAID;
  if (isSaid(minimum) && isSaid(maximum)) return `${minimum}–${maximum}`;
  if (isSaid(minimum)) return `≥ ${minimum}`;
  return isSaid(maximum) ? `≤ ${maximum}` : null;
}

/** The name of the schema that a reference points to. */
export function nameOfRef(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

/** The names of every schema that these use, each once, those that are used before those that they use. */
export function namesUsedBy(parts: unknown[], schemas: Schemas): string[] {
  const found = new Set<string>();
  const look = (part: unknown): void => {
    if (part === null || typeof part !== 'object') return;
    for (const [key, inner] of Object.entries(part)) {
      if (key === '$ref') add(nameOfRef(String(inner)));
      // The mapping of a discriminator names what `oneOf` names.
      else if (key !== 'discriminator') look(inner);
    }
  };
  const add = (name: string) => {
    if (found.has(name) || !schemas[name]) return;
    found.add(name);
    look(schemas[name]);
  };
  look(parts);
  return [...found];
}

/** An event repeats the envelope, which is said once. */
const ENVELOPE = ['id', 'type', 'api_version', 'created_at', 'team_id', 'project_id', 'test', 'data'];

/** Whether this is the envelope of one type of event. */
export function isEnvelope(schema: Json): boolean {
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  return properties.type?.const !== undefined && ENVELOPE.every((name) => name in properties);
}

/**
 * A type as lines of TypeScript, with descriptions and limits as comments. A field that is said in the same words in an
 * earlier type goes without its comment: `said` holds what was, and is added to.
 */
export function typeLines(name: string, schemas: Schemas, said: Set<string>): string {
  const schema = schemas[name] as Json;
  const about = schema.description ? ` // ${oneLine(schema.description)}` : '';
  if (isEnvelope(schema)) {
    const { type, data } = schema.properties as Record<string, Json>;
    return `type ${name} = Envelope<${typeText(type as Json)}, ${typeText(data as Json)}>`;
  }
  const fields = fieldsOf(schema);
  if (fields.length === 0) return `type ${name} = ${typeText(schema)}${about}`;
  const lines = fields.map(({ name, isRequired, schema, description }) => {
    const notes = [limitsText(schema), description && oneLine(description)].filter(Boolean).join('. ');
    const field = `${name}: ${typeText(schema)} ${notes}`;
    const isSaid = said.has(field);
    said.add(field);
    return `  ${name}${isRequired ? '' : '?'}: ${typeText(schema)}${notes && !isSaid ? ` // ${notes}` : ''}`;
  });
  return `type ${name} = {${about}\n${lines.join('\n')}\n}`;
}

/** The envelope that `typeLines` refers to. */
export const ENVELOPE_LINES = `type Envelope<Type, Data> = {
  id: string // the same on every attempt
  type: Type
  api_version: string
  created_at: Time
  team_id: string
  project_id: string | null
  test: boolean // a requested sample
  data: Data
}`;

function oneLine(text: unknown): string {
  return String(text).replace(/\s+/g, ' ').trim();
}
