import { carryOut, endOf } from '../change.ts';
import { nearest } from '../nearest.ts';
import type { Asked, Json, Operation, Parts } from '../parts.ts';
import { refuse, tamed } from '../results.ts';
import { argumentsOf, slimSchema } from '../slimSchema.ts';
import type { Ran, Tool } from '../tool.ts';
import type { ToolCall } from '../toolCall.ts';
import { noticed } from '../views.ts';
import { MAX_QUERY, wordsOf } from '../words.ts';
import { DRY_RUN, IDEMPOTENCY_KEY, REPEATED } from './arguments.ts';
import { sendsMany } from './webhooks.ts';

const MAX_FOUND = 5;

/** What has no tool of its own. */
export const GENERIC_TOOLS: Tool[] = [
  {
    name: 'search_api',
    toolset: 'core',
    description: 'Finds operations of the API for read_api and write_api, with their arguments.',
    operations: [],
    scope: null,
    does: 'reads',
    isIdempotent: true,
    arguments: { query: { type: 'string', minLength: 1, maxLength: MAX_QUERY, description: 'What to do, in words' } },
    required: ['query'],
    narrow: 'search for the name of one operation',
    async run(call) {
      const found = searchOperations(call.parts, String(call.args.query)).slice(0, MAX_FOUND);
      return { value: { operations: found.map((operation) => shown(operation, call)) } };
    },
  },
  {
    name: 'read_api',
    toolset: 'core',
    description: 'Calls any reading operation that search_api tells of.',
    operations: [],
    scope: null,
    does: 'reads',
    arguments: { operation: { type: 'string' }, arguments: { type: 'object' } },
    required: ['operation'],
    narrow: 'take a smaller limit, or narrow with its filters',
    async run(call) {
      const operation = offered(call, isReadable, 'read_api');
      return { value: noticed(tamed(await call.ask(operation.id, askedOf(call, operation))) as Json) };
    },
  },
  {
    name: 'write_api',
    toolset: 'core',
    description: 'Calls any other operation that search_api tells of. Prefer the tools made for links.',
    operations: [],
    scope: null,
    does: 'destroys',
    arguments: {
      operation: { type: 'string' },
      arguments: { type: 'object' },
      dry_run: DRY_RUN,
      idempotency_key: IDEMPOTENCY_KEY,
      confirm: REPEATED,
    },
    required: ['operation'],
    run: write,
  },
];

/** Operations whose answer is JSON without a secret. */
export function isReadable(operation: Operation): boolean {
  return (
    operation.api === 'rest' &&
    operation.method === 'GET' &&
    operation.answer.kind === 'json' &&
    isSecretFree(operation)
  );
}

/** Operations that change something and reveal nothing. */
export function isWritable(operation: Operation): boolean {
  const takesFile = operation.body !== null && operation.body.mediaType !== 'application/json';
  return (
    operation.api === 'rest' &&
    operation.method !== 'GET' &&
    !takesFile &&
    operation.answer.kind !== 'csv' &&
    isSecretFree(operation)
  );
}

function isSecretFree({ secret, danger }: Operation): boolean {
  return !secret && danger !== 'reveals';
}

async function write(call: ToolCall): Promise<Ran> {
  const operation = offered(call, isWritable, 'write_api');
  const asked = askedOf(call, operation);
  const changed = await carryOut(call, {
    operation: operation.id,
    asked,
    records: recordsOf(asked),
    danger: isArchiving(asked) ? 'stops' : operation.danger,
    what: `${operation.summary}: ${JSON.stringify(call.args.arguments ?? {}).slice(0, 300)}`,
    sendsMany: operation.id === 'replayWebhook' && (await sendsMany(call, asked)),
  });
  return { value: { result: tamed(changed.body), ...endOf(changed) } };
}

function isArchiving({ body }: Asked): boolean {
  const { archived, set } = (body ?? {}) as { archived?: unknown; set?: { archived?: unknown } | null };
  return archived === true || set?.archived === true;
}

function recordsOf({ body }: Asked): number {
  const lists = Object.entries((body ?? {}) as Json).filter(
    ([name, value]) => ['links', 'ids'].includes(name) && Array.isArray(value),
  );
  return Math.max(1, ...lists.map(([, list]) => (list as unknown[]).length));
}

/** The operation that a call names. Throws `not_found` with the nearest names, and `insufficient_scope`. */
function offered(call: ToolCall, isOffered: (operation: Operation) => boolean, tool: string): Operation {
  const name = String(call.args.operation);
  const { operations } = call.parts.api;
  const operation = operations.find(({ id, call: its }) => id === name || its === name);
  if (operation && isOffered(operation)) {
    if (call.may(operation.scope)) return operation;
    refuse('insufficient_scope', `This needs the scope ${operation.scope}, which the key does not have.`);
  }
  const other = operation && (isReadable(operation) ? 'read_api' : isWritable(operation) ? 'write_api' : null);
  if (other) refuse('unknown_operation', `${operation.id} is called with ${other}.`);
  if (operation)
    refuse('not_offered', `${operation.id} is not offered to assistants: it gives a secret or takes or gives a file.`);
  const near = nearest(
    name,
    operations.filter(isOffered).flatMap(({ id, call: its }) => [id, its]),
  );
  refuse(
    'unknown_operation',
    `There is no operation of this name for ${tool}.${near ? ` Did you mean ${near}?` : ' Find it with search_api.'}`,
  );
}

/** One flat list of arguments, taken apart into path, query and body. */
function askedOf(call: ToolCall, { params, body }: Operation): Asked {
  const given = (call.args.arguments ?? {}) as Json;
  const path: Record<string, string> = {};
  const query: [string, string][] = [];
  const rest: [string, unknown][] = [];
  for (const [name, value] of Object.entries(given)) {
    const param = params.find((candidate) => candidate.name === name);
    if (!param && body) rest.push([name, value]);
    else if (param?.in === 'path') path[name] = String(value);
    else query.push([name, Array.isArray(value) ? value.join(',') : String(value)]);
  }
  const missing = params.filter((param) => param.in === 'path' && !path[param.name]);
  if (missing.length > 0) {
    const fields = missing.map((param) => ({ path: `arguments.${param.name}`, message: 'Is required.' }));
    refuse('validation_failed', 'Some arguments are missing.', { fields });
  }
  // From entries, because an assignment to `__proto__` would make no field, and the operation must refuse it as one.
  return { path, query: Object.fromEntries(query), ...(body ? { body: Object.fromEntries(rest) } : {}) };
}

/** Operations that have the words, the best first. */
export function searchOperations({ api }: Parts, text: string): Operation[] {
  const words = wordsOf(text.replaceAll('_', ' ')).map((word) => word.replace(/(ies|es|s|ing|ed)$/, ''));
  const scored = api.operations
    .filter((operation) => isReadable(operation) || isWritable(operation))
    .map((operation) => ({ operation, score: scoreOf(operation, words, text) }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ operation }) => operation);
}

function scoreOf(
  { id, call, tag, summary, description, path, params }: Operation,
  stems: string[],
  text: string,
): number {
  if (id === text.trim() || call === text.trim()) return 1000;
  const name = `${id} ${call} ${path}`.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const about = `${summary} ${tag}`.toLowerCase();
  const more = `${description ?? ''} ${params.map((param) => param.name).join(' ')}`.toLowerCase();
  return stems.reduce(
    (sum, stem) => sum + (name.includes(stem) ? 5 : 0) + (about.includes(stem) ? 3 : 0) + (more.includes(stem) ? 1 : 0),
    0,
  );
}

function shown(operation: Operation, { parts, session }: ToolCall): Json {
  const { id, summary, scope, rehearses, danger } = operation;
  const { properties, required } = argumentsOf(operation, parts.api.schemas);
  const slim = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, slimSchema(schema, parts.api.schemas, 1)]),
  );
  return {
    operation: id,
    tool: isReadable(operation) ? 'read_api' : 'write_api',
    summary,
    scope,
    ...(scope && !session.scopes.has(scope) ? { allowed: false } : {}),
    ...(danger ? { danger } : {}),
    ...(isWritable(operation) ? { dry_run: rehearses } : {}),
    arguments: slim,
    required,
  };
}
