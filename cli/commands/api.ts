import type { Ask, SvcAnswer } from '../../sdk/client/index.ts';
import { type Field, fieldOf, nested } from '../apiFields.ts';
import type { Context } from '../context.ts';
import { defineCommand } from '../defineCommand.ts';
import type { Operation } from '../describeOperations.ts';
import { usageError } from '../errors.ts';
import { textAt } from '../flagValues.ts';
import { findLiveOperation } from '../liveOperations.ts';
import { OPERATIONS } from '../operations.ts';
import { valueAt } from '../output/cells.ts';
import { confirmDanger } from '../runOperation.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
const ROOT = '/api/v1';
/** What stands beside the REST API on the same server. */
const WHOLE_PATH = /^\/(api|v1|mcp|app|docs|reference|llms|downloads|health|\.well-known)\b/;

/** What is called. */
type Called = Pick<Operation, 'method' | 'path'> & { operation: Operation | null };

export const command = defineCommand({
  args: [['<what...>', 'an operation (links.list, listLinks), a path, or a method and a path']],
  options: [
    ['-f, --raw-field <name=text>', 'a field as text; repeat it for more', { parse: listed }],
    ['-F, --field <name=value>', 'a field as JSON would have it: numbers, true, null, [..], @file', { parse: listed }],
    ['-H, --request-header <name: value>', 'a header of the request', { parse: listed }],
    ['--input <file>', 'the body as it is; - is stdin'],
    ['--paginate', 'walk through all pages of a list, as one array'],
    ['-i, --include', 'print status and headers too'],
    ['--dry-run', 'say what would happen, and keep nothing'],
  ],
  details:
    'Fields are the query of a GET and the body of everything else; those that the path has in braces go there. `utm[source]=x` is a ' +
    'field in an object, `tags[]=x` adds to a list. The answer is printed as it is. An operation that this version does not know is ' +
    'looked up in the OpenAPI document of the server.',
  examples: [
    'api links.list -f tag=q4',
    'api /links/count',
    "api POST /links -f destination=https://example.com -F 'tags[]=q4'",
    'api links.get -f id=ext_order-7 --jq .clicks',
    'api PATCH /links/bulk --input changes.json',
  ],
  async run(context, { args, flags }) {
    const called = await findCalled(context, args as unknown as string[][]);
    const ask = await askOf(called, flags);
    if (called.operation && !flags.dryRun) {
      await confirmDanger(
        context,
        called.operation,
        Object.values(ask.variables ?? {}),
        (ask.body ?? {}) as Record<string, unknown>,
      );
    }
    if (flags.paginate) return printAll(context, called, ask);
    const answer = await context.request(called, ask);
    if (flags.include) context.output.line(headOf(answer));
    if (context.flags.jq !== undefined || context.flags.fields) await context.output.answer({ text: answer.text });
    else if (/json|text|^$/.test(answer.mediaType)) context.output.raw(answer.text);
    else process.stdout.write(answer.bytes);
    return undefined;
  },
});

async function findCalled(context: Context, [words = []]: string[][]): Promise<Called> {
  const [first = '', second, ...more] = words;
  if (more.length > 0) throw usageError('svc api takes an operation, a path, or a method and a path.');
  const method = first.toUpperCase();
  if (second !== undefined) {
    if (!METHODS.includes(method)) throw usageError(`"${first}" is no method: ${METHODS.join(', ')}.`);
    return withOperation(method, second);
  }
  if (first.includes('/')) return withOperation('GET', first);
  const operation = OPERATIONS.find(({ id, call, words: own }) => [id, call, own.join('.')].includes(first));
  if (operation) return { method: operation.method, path: operation.path, operation };
  return { ...(await findLiveOperation(context, first)), operation: null };
}

/** The operation that a path belongs to, for the question before dangerous ones. */
function withOperation(method: string, typed: string): Called {
  const slashed = typed.startsWith('/') ? typed : `/${typed}`;
  const path = WHOLE_PATH.test(slashed) ? slashed : `${ROOT}${slashed}`;
  const bare = path.split('?')[0] ?? '';
  const matching = OPERATIONS.filter((each) => each.method === method && isOf(each.path, bare));
  return { method, path, operation: matching.sort((a, b) => a.args.length - b.args.length)[0] ?? null };
}

function isOf(template: string, path: string): boolean {
  const parts = template.split('/');
  const given = path.split('/');
  return parts.length === given.length && parts.every((part, at) => part.startsWith('{') || part === given[at]);
}

async function askOf(
  { method, path }: Called,
  flags: Record<string, string[] | string | boolean | undefined>,
): Promise<Ask> {
  const texts = ((flags.rawField ?? []) as string[]).map((text) => fieldOf(text, false));
  const typed = ((flags.field ?? []) as string[]).map((text) => fieldOf(text, true));
  const fields = await Promise.all([...texts, ...typed]);
  const isVariable = ({ name }: Field) => path.includes(`{${name}}`);
  const variables = Object.fromEntries(fields.filter(isVariable).map(({ name, value }) => [name, String(value)]));
  const rest = fields.filter((field) => !isVariable(field));
  const headers = Object.fromEntries(((flags.requestHeader ?? []) as string[]).map(headerOf));
  const ask: Ask = { variables, headers, dryRun: flags.dryRun === true };
  if (flags.input !== undefined) {
    const contentType = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
    const body = await textAt(String(flags.input), '--input');
    return { ...ask, query: nested(rest), body, contentType: contentType ?? 'application/json' };
  }
  if (method === 'GET' || method === 'DELETE') return { ...ask, query: nested(rest) };
  return rest.length > 0 ? { ...ask, body: nested(rest) } : ask;
}

async function printAll(context: Context, called: Called, ask: Ask): Promise<undefined> {
  const rows: unknown[] = [];
  let cursor: unknown;
  do {
    const page = await context.json<Record<string, unknown>>(called, {
      ...ask,
      query: { ...ask.query, ...(cursor ? { cursor } : {}) },
    });
    if (!Array.isArray(page.data)) throw usageError('--paginate is for lists, and this is none.');
    rows.push(...page.data);
    cursor = valueAt(page, 'next_cursor');
  } while (cursor);
  await context.output.answer({ text: JSON.stringify(rows), rows: rows as Record<string, unknown>[], columns: ['id'] });
  return undefined;
}

function headOf({ status, headers }: SvcAnswer): string {
  return [`HTTP ${status}`, ...[...headers].map(([name, value]) => `${name}: ${value}`), ''].join('\n');
}

function headerOf(text: string): [string, string] {
  const colon = text.indexOf(':');
  if (colon < 1) throw usageError(`"${text}" is no header: write it as "name: value".`);
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}

function listed(text: string, earlier: string[] = []): string[] {
  return [...earlier, text];
}
