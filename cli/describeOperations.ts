/** The parts of a JSON Schema that the manifest uses. */
interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  enum?: readonly (string | null)[];
  items?: Schema;
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
}

/** The parts of the manifest that commands are computed from; see facade/manifest.ts. */
export interface PrintedManifest {
  version: string;
  tags: { name: string; description: string }[];
  operations: {
    id: string;
    call: string;
    api: string;
    method: string;
    path: string;
    summary: string;
    description: string | null;
    scope: string | null;
    params: { name: string; in: string; required: boolean; description: string | null; schema: Schema }[];
    body: { mediaType: string; schema: Schema } | null;
    answer: { kind: string; schema: Schema | null };
    danger: Danger | null;
    secret: boolean;
    rehearses: boolean;
  }[];
  events: { type: string; summary: string }[];
  schemas: Record<string, Schema>;
}

export type Danger = 'deletes' | 'stops' | 'sends' | 'reveals';

/** How the text of a flag becomes a value. `json` takes JSON or `@file`, `list` repeats or splits at commas. */
export type FlagKind = 'text' | 'number' | 'boolean' | 'time' | 'list' | 'json';

/** A query parameter or a field of the body, as a flag. */
export interface Flag {
  /** As on the wire: `expires_at`. */
  name: string;
  place: 'query' | 'body';
  kind: FlagKind;
  isRequired: boolean;
  isNullable: boolean;
  choices: string[] | null;
  description: string;
}

/** An operation, as a command. */
export interface Operation {
  id: string;
  /** The words after `svc`: `['links', 'bulk-create']`. */
  words: [resource: string, verb: string];
  call: string;
  method: string;
  path: string;
  summary: string;
  description: string | null;
  scope: string | null;
  /** The variables of the path. */
  args: string[];
  flags: Flag[];
  bodyType: string | null;
  /** What comes back: JSON, a list with pages, a file, lines of CSV, nothing. */
  answer: 'json' | 'page' | 'file' | 'csv' | 'none';
  /** The fields of the answer, or of the rows of the list. */
  fields: string[];
  danger: Danger | null;
  secret: boolean;
  rehearses: boolean;
}

/** The operations of the REST API, in the order of the manifest. */
export function describeOperations({ operations, schemas }: PrintedManifest): Operation[] {
  const resolved = (schema: Schema): Schema => {
    const { $ref, oneOf, ...own } = schema;
    if ($ref) return { ...resolved(schemas[$ref.split('/').at(-1) ?? ''] ?? {}), ...own };
    const [inner, other] = oneOf ?? [];
    if (inner && other?.type === 'null') {
      const { type = 'object', ...rest } = resolved(inner);
      return { ...rest, ...own, type: [type, 'null'].flat() };
    }
    return schema;
  };
  return operations
    .filter(({ api }) => api === 'rest')
    .map(({ id, call, method, path, summary, description, scope, params, body, answer, danger, secret, rehearses }) => {
      const content = body?.mediaType === 'application/json' ? resolved(body.schema) : {};
      const query = params.filter((param) => param.in === 'query');
      return {
        id,
        words: call.split('.').map(kebab) as [string, string],
        call,
        method,
        path,
        summary,
        description,
        scope,
        args: params.filter((param) => param.in === 'path').map(({ name }) => name),
        flags: [
          ...query.map(({ name, required, schema, description: says }) =>
            flagOf(name, 'query', required, { ...schema, description: says ?? '' }, resolved),
          ),
          ...Object.entries(content.properties ?? {}).map(([name, schema]) =>
            flagOf(name, 'body', content.required?.includes(name) ?? false, schema, resolved),
          ),
        ],
        bodyType: body?.mediaType ?? null,
        ...answerOf(answer, resolved),
        danger,
        secret,
        rehearses,
      };
    });
}

/** A name of the wire or of the code as it is spelled on the command line. */
export function kebab(name: string): string {
  return name.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function flagOf(
  name: string,
  place: Flag['place'],
  isRequired: boolean,
  given: Schema,
  resolved: (schema: Schema) => Schema,
): Flag {
  const schema = resolved(given);
  const types = [schema.type ?? 'object'].flat();
  const items = types.includes('array') ? resolved(schema.items ?? {}) : null;
  const choices = (items ?? schema).enum?.filter((choice) => choice !== null) ?? null;
  return {
    name,
    place,
    kind: kindOf(types, schema, items),
    isRequired,
    isNullable: place === 'body' && types.includes('null'),
    choices: choices && [...choices],
    description: schema.description ?? '',
  };
}

function kindOf(types: string[], schema: Schema, items: Schema | null): FlagKind {
  if (items) return items.type === 'string' ? 'list' : 'json';
  if (types.includes('string')) return schema.format === 'date-time' ? 'time' : 'text';
  if (types.includes('integer') || types.includes('number')) return 'number';
  return types.includes('boolean') ? 'boolean' : 'json';
}

function answerOf(
  { kind, schema }: PrintedManifest['operations'][number]['answer'],
  resolved: (schema: Schema) => Schema,
): Pick<Operation, 'answer' | 'fields'> {
  if (kind === 'file' || kind === 'csv' || kind === 'none') return { answer: kind, fields: [] };
  const properties = resolved(schema ?? {}).properties ?? {};
  const isPage = 'next_cursor' in properties;
  const row = isPage ? resolved(properties.data?.items ?? {}).properties : properties;
  return { answer: isPage ? 'page' : 'json', fields: Object.keys(row ?? {}) };
}
