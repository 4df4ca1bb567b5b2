import { createReadStream } from 'node:fs';
import type { Ask, Link, SvcAnswer } from '../sdk/client/index.ts';
import { givenFlags } from './addOperation.ts';
import type { Context } from './context.ts';
import type { Input } from './defineCommand.ts';
import type { Danger, Operation } from './describeOperations.ts';
import { EXIT } from './exitCodes.ts';
import { valuesOf } from './flagValues.ts';
import { resolveLink } from './links.ts';
import { printBulk } from './output/bulk.ts';
import type { Row } from './output/cells.ts';
import { columnsOf } from './output/columns.ts';
import { printFile, printStream } from './output/files.ts';
import { printPages } from './output/pages.ts';

/** How many of many are named in a question. */
const SHOWN = 5;
/** What asks first. A command that reveals a secret does so because it was called for that. */
const ASKS: Record<Danger, string | null> = { deletes: 'deletes', stops: 'stops', sends: 'sends', reveals: null };

/** Calls an operation with what was typed, and prints what it answers. Gives the exit code. */
export async function runOperation(context: Context, operation: Operation, input: Input): Promise<number> {
  const variables = await variablesOf(context, operation, input.args);
  const { query, body } = await valuesOf(operation, givenFlags(operation, input.flags));
  const dryRun = input.flags.dryRun === true;
  if (!dryRun) await confirmDanger(context, operation, Object.values(variables), body);
  const ask: Ask = { variables, query, dryRun, ...bodyOf(operation, body, input.args) };
  return perform(context, operation, ask, input.flags);
}

/** Asks the operation and prints. Commands that are written by hand end here too. */
export async function perform(
  context: Context,
  operation: Operation,
  ask: Ask,
  flags: Input['flags'] = {},
): Promise<number> {
  const { output } = context;
  if (operation.answer === 'page') return printPages(context, operation, ask, flags.all === true);
  if (operation.answer === 'csv') return printStream(context, operation, ask, flags.output);
  const answer = await context.request(operation, ask);
  if (operation.answer === 'file') return printFile(context, answer, flags.output);
  if (ask.dryRun) output.note('Dry run: this is what would happen. Nothing was kept.');
  return printAnswer(context, operation, answer, Object.values(ask.variables ?? {}));
}

/** Prints the JSON of an operation: a record, or the outcome of a bulk. */
export async function printAnswer(
  context: Context,
  operation: Operation,
  answer: SvcAnswer,
  names: string[] = [],
): Promise<number> {
  const { output } = context;
  if (operation.answer === 'none') {
    output.note(`${PAST[operation.words[1]] ?? 'Done'}${names.length > 0 ? `: ${names.join(', ')}` : ''}.`);
    return EXIT.done;
  }
  if (operation.fields.includes('results')) return printBulk(context, answer);
  await output.answer({ text: answer.text, columns: recordFields(operation, answer) });
  return EXIT.done;
}

const PAST: Record<string, string> = { delete: 'Deleted', revoke: 'Revoked' };

/** The fields that the answer has: also those that a newer server added. */
function recordFields({ words }: Operation, answer: SvcAnswer): string[] {
  const record = answer.json<Row>();
  const first = columnsOf(words[0], Object.keys(record)).filter((column) => column in record);
  return [...new Set([...first, ...Object.keys(record)])];
}

async function variablesOf(
  context: Context,
  { words, args }: Operation,
  typed: string[],
): Promise<Record<string, string>> {
  const variables: Record<string, string> = {};
  for (const [at, name] of args.entries()) {
    const value = typed[at] ?? '';
    variables[name] = words[0] === 'links' && name === 'id' ? await resolveLink(context, value) : value;
  }
  return variables;
}

function bodyOf({ bodyType, method }: Operation, body: Record<string, unknown>, args: string[]): Ask {
  if (bodyType === null) return {};
  if (bodyType === 'application/json') return Object.keys(body).length > 0 || method !== 'POST' ? { body } : {};
  const file = args.at(-1) ?? '-';
  return { body: file === '-' ? process.stdin : createReadStream(file), contentType: bodyType };
}

/** Asks before an operation that deletes, stops or sends. Of a link the slug is typed, of everything else `yes`. */
export async function confirmDanger(
  context: Context,
  { danger, words }: Operation,
  names: string[],
  body: Record<string, unknown>,
): Promise<void> {
  const verb = danger && ASKS[danger];
  if (!verb || context.flags.yes) return;
  const [id] = names;
  const isLink = words[0] === 'links' && id !== undefined && context.canAsk;
  const link = isLink ? await context.json<Link>('getLink', { variables: { id } }) : null;
  const ids = Array.isArray(body.ids) ? body.ids : null;
  const many = ids && `${ids.length} ${words[0]} (${ids.slice(0, SHOWN).join(', ')}${ids.length > SHOWN ? ', …' : ''})`;
  const one = link ? `${link.short_url} → ${link.destination} (${link.clicks} clicks)` : names.join(', ');
  await context.confirm(`svc ${words.join(' ')} ${verb} ${many ?? one}.`.replace(' .', '.'), link?.slug);
}
