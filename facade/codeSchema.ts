import { config } from '../src/kernel/config.ts';
import { fullPath } from './apis.ts';
import type { Json } from './openapi/parts.ts';

/** The path of the schema of links as code, within the REST API. */
export const CODE_SCHEMA_PATH = '/code.schema.json';

/** What each part of the file is made of: the input of the API, and the fields that stand elsewhere in the file. */
const PARTS = {
  links: { input: 'CreateLink', left: ['managed_by'], own: ['destination', 'slug', 'external_id', 'password'] },
  tags: { input: 'CreateTag', left: ['managed_by', 'name'], own: [] },
  domains: { input: 'CreateDomain', left: ['managed_by', 'hostname'], own: [] },
  webhooks: { input: 'CreateWebhook', left: ['managed_by', 'scope'], own: ['url', 'external_id'] },
} as const satisfies Record<string, { input: string; left: readonly string[]; own: readonly string[] }>;

const NAME: Json = {
  type: 'string',
  pattern: '^[a-z0-9][a-z0-9._/-]{0,99}$',
  description: 'A name within the stack: lower-case letters, digits, and . _ / -',
};
const SECRET: Json = {
  description: 'Where the secret is read from when the file is applied; it never stands in the file.',
  oneOf: [
    object({ env: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$', description: 'An environment variable.' } }, [
      'env',
    ]),
    object({ file: { type: 'string', minLength: 1, description: 'A file, relative to this one.' } }, ['file']),
  ],
};
const SCOPE: Json = {
  description: 'Whose events it receives; unset: those of the whole project.',
  oneOf: [
    object({ tag: { type: 'string', minLength: 1, maxLength: 100, description: 'A tag, by its name.' } }, ['tag']),
    object({ link: { $ref: '#/$defs/Name', description: 'A link of this stack, by its name.' } }, ['link']),
  ],
};

/** The schema of links as code of an OpenAPI document. */
export function codeSchemaOf(document: Json): Json {
  const { components } = document as { components: { schemas: Record<string, Json> } };
  return codeSchema(components.schemas, `${config.baseUrl}${fullPath({ path: CODE_SCHEMA_PATH })}`);
}

/**
 * The JSON Schema of a file of links as code, for editors and for the engine that reads such files. Its fields are those of
 * the bodies that create links, tags, domains and webhooks, as `schemas`, the components of the OpenAPI document, have them.
 */
function codeSchema(schemas: Record<string, Json>, id: string): Json {
  const fields = (part: keyof typeof PARTS) => without(propertiesOf(schemas, PARTS[part].input), PARTS[part].left);
  const links = fields('links');
  const entries = {
    CodeLink: object({ ...links, password: SECRET, ignore: ignoreOf(links) }, ['destination']),
    CodeTag: object(fields('tags')),
    CodeDomain: object(fields('domains')),
    CodeWebhook: object({ ...fields('webhooks'), scope: SCOPE }, ['url']),
  };
  const defaults = Object.keys(PARTS).map((part) => {
    const of = part as keyof typeof PARTS;
    const about = { description: `What every one of \`${part}\` has that does not say otherwise.` };
    return [part, { ...object(without(fields(of), PARTS[of].own)), ...about }];
  });
  const file = {
    ...object({
      version: { const: 1, description: 'The version of the format of this file.' },
      stack: {
        type: 'string',
        pattern: '^[a-z0-9][a-z0-9-]{0,62}$',
        description: 'Owns what the file makes: `managed_by` is `code:` and this name.',
      },
      defaults: object(Object.fromEntries(defaults)),
      ...collections(schemas),
      moved: {
        type: 'array',
        description: 'Links that have another name now; they keep id, clicks and history.',
        items: object({ from: { $ref: '#/$defs/Name' }, to: { $ref: '#/$defs/Name' } }, ['from', 'to']),
      },
    }),
    required: ['version', 'stack'],
  };
  const whole = { ...file, $defs: { Name: NAME, ...entries } };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: id,
    title: 'Links as code',
    description: 'Links, tags, domains and webhooks of a stack, which `svc plan` compares and `svc apply` makes so.',
    ...(moved({ ...whole, $defs: { ...whole.$defs, ...referred(whole, schemas) } }) as Json),
  };
}

/** The four lists of the file, each by the names of its entries. */
function collections(schemas: Record<string, Json>): Record<string, Json> {
  const destination = propertiesOf(schemas, 'CreateLink').destination as Json;
  const tagName = propertiesOf(schemas, 'CreateTag').name as Json;
  const hostname = propertiesOf(schemas, 'CreateDomain').hostname as Json;
  const list = (propertyNames: Json, additionalProperties: Json, description: string): Json => ({
    type: 'object',
    description,
    propertyNames,
    additionalProperties,
  });
  const named = { $ref: '#/$defs/Name' };
  return {
    tags: list(tagName, { $ref: '#/$defs/CodeTag' }, 'Tags by their names.'),
    domains: list(
      hostname,
      { $ref: '#/$defs/CodeDomain' },
      'Domains by their host names; they are verified elsewhere.',
    ),
    links: list(
      named,
      {
        oneOf: [
          { ...destination, description: 'In short: the destination of a link whose slug is its name.' },
          { $ref: '#/$defs/CodeLink' },
        ],
      },
      'Links by their names in the stack.',
    ),
    webhooks: list(named, { $ref: '#/$defs/CodeWebhook' }, 'Webhooks by their names in the stack.'),
  };
}

/** Fields of a link that somebody else may change. */
function ignoreOf(fields: Record<string, Json>): Json {
  const names = Object.keys(without(fields, ['external_id']));
  return {
    type: 'array',
    uniqueItems: true,
    items: { type: 'string', enum: names },
    description: 'Fields that people may change in the dashboard: they are set once and not compared.',
  };
}

function object(properties: Record<string, Json>, required: string[] = []): Json {
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false };
}

function propertiesOf(schemas: Record<string, Json>, name: string): Record<string, Json> {
  const properties = schemas[name]?.properties as Record<string, Json> | undefined;
  if (!properties) throw new Error(`The document has no schema ${name}`);
  return properties;
}

function without<Value>(fields: Record<string, Value>, names: readonly string[]): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

const COMPONENTS = '#/components/schemas/';

/** Every component that a schema refers to, directly or through another. */
function referred(
  schema: unknown,
  schemas: Record<string, Json>,
  known: Record<string, Json> = {},
): Record<string, Json> {
  if (schema === null || typeof schema !== 'object') return known;
  const { $ref } = schema as { $ref?: unknown };
  if (typeof $ref === 'string' && $ref.startsWith(COMPONENTS)) {
    const name = $ref.slice(COMPONENTS.length);
    const component = schemas[name];
    if (!component) throw new Error(`The document has no schema ${name}`);
    if (!(name in known)) {
      known[name] = component;
      referred(component, schemas, known);
    }
  }
  for (const inner of Object.values(schema)) referred(inner, schemas, known);
  return known;
}

/** The same schema with its references to components turned to definitions of its own. */
function moved(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(moved);
  if (schema === null || typeof schema !== 'object') return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? value.replace(COMPONENTS, '#/$defs/') : moved(value),
    ]),
  );
}
