import { type Manifest, type ManifestOperation, makeManifest } from '../../facade/manifest.ts';
import { routes, schema } from './api.ts';
import { collectSchemas, printTypes } from './types.ts';

const notice = (what: string) => `// ${what} Printed by \`npm run generate\`; do not edit.\n\n`;

const WIDTH = 115;

const DANGERS = {
  deletes: 'deletes for good',
  stops: 'stops something that works',
  sends: 'sends what cannot be taken back',
  reveals: 'answers with a secret',
};

/** What a method gives, and which method of `Resource` it calls, by the kind of the answer. */
const RESULTS = {
  json: (type: string) => ['json', `Promise<${type}>`],
  upsert: (type: string) => ['json', `Promise<${type}>`],
  none: () => ['nothing', 'Promise<void>'],
  file: () => ['file', 'Promise<FileAnswer>'],
  csv: () => ['text', 'TextStream'],
} as const;

const manifest = makeManifest(routes, schema);
const operations = manifest.operations.filter(({ api }) => api === 'rest');
/** A stream of events has a method that is written by hand. */
const printed = operations.filter(({ answer }) => answer.kind in RESULTS);
const resources = Map.groupBy(printed, ({ call }) => call.split('.')[0] as string);
const schemas = schemasOfClient(manifest);

/** The methods and types of the client, from the manifest. */
export async function printClient(): Promise<Record<'types' | 'table' | 'methods', string>> {
  const types = await printTypes('3.1.0', {}, schemas);
  return {
    types: notice('What the API takes and answers.') + types,
    table: notice('Every operation of the API.') + table(),
    methods: notice('One method for each operation.') + methods(),
  };
}

function table(): string {
  const rows = operations.map(
    ({ id, call, method, path }) => `${id}: { call: '${call}', method: '${method}', path: '${path}' },`,
  );
  return `/** Of the product, and of this client for it. */
export const VERSION = '${manifest.version}';

/** By id. \`{name}\` in a path is a variable. */
export const OPERATIONS = {
${rows.join('\n')}
} as const;

export type OperationId = keyof typeof OPERATIONS;
`;
}

/** The schemas of REST operations, one for each query, and those of events and errors. */
function schemasOfClient({ schemas, events, operations: all }: Manifest): Record<string, object> {
  const { named, add } = collectSchemas(schemas);
  const queries: Record<string, object> = {};
  for (const { id, api, params, body, answer } of all) {
    if (api !== 'rest') continue;
    add([params, body?.schema, answer.schema]);
    const query = params.filter((param) => param.in === 'query');
    if (query.length > 0) queries[queryType(id)] = schemaOfQuery(query);
  }
  const refs = ['Event', 'EventType', 'ErrorCode', 'FieldProblem', ...events.map((event) => event.schema)];
  add(refs.map((name) => ({ $ref: `#/components/schemas/${name}` })));
  return { ...named, ...queries };
}

function schemaOfQuery(params: ManifestOperation['params']): object {
  const properties = params.map(({ name, description, schema }) => [name, described(schema, description)]);
  const required = params.filter((param) => param.required).map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

/** A reference beside which words may stand: OpenAPI 3.1. */
function described(schema: object, description: string | null): object {
  return description === null ? schema : { ...schema, description };
}

function methods(): string {
  const classes = [...resources].map(([name, list]) => {
    return `export class ${className(name)} extends Resource {\n${list.map(methodOf).join('\n\n')}\n}`;
  });
  const names = [...resources.keys()];
  const code = `${classes.join('\n\n')}

/** Each resource by its name. */
export abstract class Resources {
${names.map((name) => `readonly ${name}: ${className(name)};`).join('\n')}

constructor(http: Http) {
${names.map((name) => `this.${name} = new ${className(name)}(http);`).join('\n')}
}
}
`;
  return `${imports(code)}\n\n${code}`;
}

/** What the code names, in the order that Biome keeps. */
function imports(code: string): string {
  const isNamed = (name: string) => new RegExp(`\\b${name}\\b`).test(code.replace(/\/\*\*.*?\*\//gs, ''));
  const from = (file: string, names: string[]) => `import type { ${names.filter(isNamed).join(', ')} } from '${file}';`;
  return [
    from('./Http.ts', ['Http']),
    from('./Paged.ts', ['Paged']),
    `import { ${isNamed('FileAnswer') ? 'type FileAnswer, ' : ''}Resource } from './Resource.ts';`,
    from('./request.ts', ['CallOptions', 'FileBody', 'Idempotent', 'Rehearsed']),
    from('./TextStream.ts', ['TextStream']),
    from('./types.ts', Object.keys(schemas).sort()),
  ].join('\n');
}

function className(resource: string): string {
  return `${resource.charAt(0).toUpperCase()}${resource.slice(1)}Api`;
}

function queryType(id: string): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}Query`;
}

function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function methodOf(operation: ManifestOperation): string {
  const { id, call, params, body } = operation;
  const variables = params.filter((param) => param.in === 'path').map(({ name }) => name);
  const query = params.filter((param) => param.in === 'query');
  const [means, result] = resultOf(operation);
  const parameters = [
    ...variables.map((name) => `${camel(name)}: string`),
    ...(body ? [bodyParameter(body)] : []),
    ...(query.length > 0 ? [`query${query.some((one) => one.required) ? '' : '?'}: ${queryType(id)}`] : []),
    `options?: ${optionsOf(operation)}`,
  ];
  const isFile = body !== null && body.mediaType !== 'application/json';
  const said = [
    ...(variables.length > 0 ? [`variables: { ${variables.map(assigned).join(', ')} }`] : []),
    ...(body ? ['body'] : []),
    ...(isFile ? [`contentType: '${body.mediaType}'`] : []),
    ...(query.length > 0 ? ['query'] : []),
    '...options',
  ];
  return `${docOf(operation)}
${call.split('.')[1]}(${parameters.join(', ')}): ${result} {
return this.${means}('${id}', { ${said.join(', ')} });
}`;
}

function assigned(name: string): string {
  return camel(name) === name ? name : `${name}: ${camel(name)}`;
}

function bodyParameter({ mediaType, required, schema }: NonNullable<ManifestOperation['body']>): string {
  return `body${required ? '' : '?'}: ${mediaType === 'application/json' ? nameOf(schema) : 'FileBody'}`;
}

function resultOf({ answer, params }: ManifestOperation): readonly string[] {
  const type = answer.schema ? nameOf(answer.schema) : '';
  if (params.some(({ name }) => name === 'cursor')) return ['paged', `Paged<${type}>`];
  return RESULTS[answer.kind as keyof typeof RESULTS](type);
}

function nameOf(schema: object): string {
  return (schema as { $ref: string }).$ref.split('/').at(-1) as string;
}

/** An import has a rehearsal of its own, which is its parameter and no column. */
function optionsOf({ id, idempotent, rehearses }: ManifestOperation): string {
  const isOwn = routes.find((route) => route.id === id)?.queryArguments.some(({ name }) => name === 'dryRun');
  return ['CallOptions', ...(idempotent ? ['Idempotent'] : []), ...(rehearses || isOwn ? ['Rehearsed'] : [])].join(
    ' & ',
  );
}

function docOf({ summary, description, scope, danger }: ManifestOperation): string {
  const asks = danger ? ` It ${DANGERS[danger]}: ask before it is called.` : '';
  const needs = scope ? `Needs the scope \`${scope}\`.` : 'Any secret key will do.';
  const texts = [`${summary}.`, ...(description ?? '').split('\n\n'), `${needs}${asks}`].filter((text) => text !== '');
  const lines = texts.flatMap((text, at) => [...(at > 0 ? [''] : []), ...wrapped(text.replaceAll('*/', '*\\/'))]);
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */`;
}

function wrapped(text: string): string[] {
  return text.split('\n').flatMap((line) => line.match(new RegExp(`.{1,${WIDTH}}(?:\\s|$)`, 'g'))?.map(trimmed) ?? []);
}

function trimmed(line: string): string {
  return line.trim();
}
