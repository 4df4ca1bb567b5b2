import { type Changed, carryOut, endOf } from '../change.ts';
import { askedOf, recordsOf } from '../flatArguments.ts';
import { nearest } from '../nearest.ts';
import { fileArgumentOf, notOfferedText, type Way, wayOf } from '../offered.ts';
import type { Answered, Asked, Json, Operation } from '../parts.ts';
import { refuse, tamed } from '../results.ts';
import { searchOperations, shownOperation } from '../searchOperations.ts';
import type { Ran, Tool } from '../tool.ts';
import type { ToolCall } from '../toolCall.ts';
import { noticed } from '../views.ts';
import { MAX_QUERY } from '../words.ts';
import { DRY_RUN, IDEMPOTENCY_KEY, REPEATED } from './arguments.ts';
import { replayHazards } from './webhooks.ts';

const MAX_FOUND = 5;
/** Operations bound their own texts; the longest is that of a file. A message has at most as many bytes. */
const MAX_TEXT = 1024 * 1024;

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
      return { value: { operations: found.map((operation) => shownOperation(operation, call)) } };
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
    run: read,
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
      arguments: { type: 'object', additionalProperties: { maxLength: MAX_TEXT } },
      dry_run: DRY_RUN,
      idempotency_key: IDEMPOTENCY_KEY,
      confirm: REPEATED,
    },
    required: ['operation'],
    run: write,
  },
];

async function read(call: ToolCall): Promise<Ran> {
  const operation = offered(call, 'read_api');
  const answered = await call.answer(operation.id, argumentsFor(call, operation));
  return { value: noticed(shownBody(answered)) };
}

/** The body of an answer; of a file its lines, which are left out one by one where it is too long. */
function shownBody({ body, contentType, isTruncated }: Extract<Answered, { ok: true }>): Json {
  if (typeof body !== 'string') return tamed(body) as Json;
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  const shown = contentType.startsWith('application/x-ndjson') ? lines.map((line) => JSON.parse(line)) : lines;
  return tamed({ lines: shown, ...(isTruncated ? { truncated: true, more: LONGER } : {}) }) as Json;
}

const LONGER = 'The file is longer. Narrow with filters; a person gets all of it in the dashboard.';

async function write(call: ToolCall): Promise<Ran> {
  const operation = offered(call, 'write_api');
  const asked = argumentsFor(call, operation);
  // Some rehearse by an argument of their own.
  const hasOwnDryRun = operation.params.some(({ name }) => name === DRY_RUN_PARAM);
  if (hasOwnDryRun && call.args.dry_run === true) asked.query = { ...asked.query, [DRY_RUN_PARAM]: 'true' };
  const isTried = hasOwnDryRun && asked.query?.[DRY_RUN_PARAM] === 'true';
  const changed = await carryOut(call, {
    operation: operation.id,
    asked,
    records: isTried ? 1 : recordsOf(asked),
    what: `${operation.summary}: ${shownArguments(call, operation, asked)}`,
    hazards: operation.id === 'replayWebhook' ? await replayHazards(call, asked) : [],
    ...(hasOwnDryRun ? { isRehearsal: false } : {}),
  });
  return { value: { ...secretsIn(operation, changed), result: tamed(changed.body), ...endOf(changed) } };
}

/** The arguments for a person who decides: of a file how many rows it has. */
function shownArguments({ args }: ToolCall, operation: Operation, asked: Asked): string {
  const given = (args.arguments ?? {}) as Json;
  const file = fileArgumentOf(operation);
  const shown = file ? { ...given, [file]: `${recordsOf(asked)} rows` } : given;
  return JSON.stringify(shown).slice(0, 300);
}

const DRY_RUN_PARAM = 'dry_run';

function argumentsFor(call: ToolCall, operation: Operation): Asked {
  return askedOf((call.args.arguments ?? {}) as Json, operation, call.parts.api.schemas);
}

const SECRET = /^(sk_live_|whsec_)/;

/** Marks the secrets of a result, which is shown once. */
function secretsIn({ secret }: Operation, { body, budget }: Changed): Json {
  if (!secret || budget === null) return {};
  const secrets = Object.entries(body).flatMap(([name, value]) =>
    typeof value === 'string' && SECRET.test(value) ? [`result.${name}`] : [],
  );
  return {
    secrets,
    secret_notice:
      'Secret. Put it where the person asked for it, or show it to them once. Do not repeat it, and do not pass it to other tools.',
  };
}

/** The operation that a call names. Throws with the nearest names, with who else does it, and `insufficient_scope`. */
function offered(call: ToolCall, tool: Way): Operation {
  const name = String(call.args.operation);
  const { operations } = call.parts.api;
  const operation = operations.find(({ id, call: its }) => id === name || its === name);
  const way = operation ? wayOf(operation) : null;
  if (operation && way === tool) {
    if (call.may(operation.scope)) return operation;
    refuse('insufficient_scope', `This needs the scope ${operation.scope}, which the key does not have.`);
  }
  if (operation && way) refuse('unknown_operation', `${operation.id} is called with ${way}.`);
  if (operation) refuse('not_offered', notOfferedText(operation, call.parts.baseUrl()));
  const near = nearest(
    name,
    operations.filter((other) => wayOf(other) === tool).flatMap(({ id, call: its }) => [id, its]),
  );
  refuse(
    'unknown_operation',
    `There is no operation of this name for ${tool}.${near ? ` Did you mean ${near}?` : ' Find it with search_api.'}`,
  );
}
