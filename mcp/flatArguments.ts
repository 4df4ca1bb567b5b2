import { nearest } from './nearest.ts';
import { fileArgumentOf } from './offered.ts';
import type { ApiTable, Asked, FieldProblem, Json, Operation } from './parts.ts';
import { refuse } from './results.ts';
import { argumentsOf } from './slimSchema.ts';

/** The largest file that is taken as an argument, in characters: four times what a model writes at most. */
export const MAX_FILE_CHARACTERS = 256 * 1024;

/**
 * One flat list of arguments, taken apart into path, query and body. Throws `validation_failed` for names that the
 * operation does not have: one such as `__proto__` must not reach an object by assignment.
 */
export function askedOf(given: Json, operation: Operation, schemas: ApiTable['schemas']): Asked {
  const { params, body } = operation;
  const known = Object.keys(argumentsOf(operation, schemas).properties);
  refuseFields([
    ...Object.keys(given)
      .filter((name) => !known.includes(name))
      .map((name) => unknownArgument(name, known)),
    ...params
      .filter((param) => param.in === 'path' && (!Object.hasOwn(given, param.name) || given[param.name] === ''))
      .map((param) => ({ path: `arguments.${param.name}`, message: 'Is required.' })),
  ]);
  const path: Record<string, string> = {};
  const query: Record<string, string> = {};
  const rest: Json = {};
  for (const [name, value] of Object.entries(given)) {
    const param = params.find((candidate) => candidate.name === name);
    if (!param) rest[name] = value;
    else if (param.in === 'path') path[name] = String(value);
    else query[name] = Array.isArray(value) ? value.join(',') : String(value);
  }
  const file = fileArgumentOf(operation);
  if (file) return { path, query, body: fileOf(rest[file], file) };
  return { path, query, ...(body ? { body: rest } : {}) };
}

/** Records that a change is about: those that it lists, or the rows of its file. */
export function recordsOf({ body }: Asked): number {
  if (typeof body === 'string') return Math.max(1, rowsOf(body));
  const lists = Object.entries((body ?? {}) as Json).filter(
    ([name, value]) => ['links', 'ids'].includes(name) && Array.isArray(value),
  );
  return Math.max(1, ...lists.map(([, list]) => (list as unknown[]).length));
}

/** Rows of a CSV file below its first line. A line break within quotes begins no row. */
function rowsOf(csv: string): number {
  let rows = 0;
  let isQuoted = false;
  let isEmpty = true;
  for (const character of csv) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === '\n' && !isQuoted) {
      if (!isEmpty) rows += 1;
      isEmpty = true;
    } else if (character.trim() !== '') isEmpty = false;
  }
  return rows + (isEmpty ? 0 : 1) - 1;
}

function fileOf(text: unknown, name: string): string {
  const path = `arguments.${name}`;
  if (typeof text !== 'string' || text === '')
    refuse('validation_failed', 'The file is missing.', {
      fields: [{ path, message: 'Must be the text of the file.' }],
    });
  if (text.length > MAX_FILE_CHARACTERS) {
    const message = `Must have at most ${MAX_FILE_CHARACTERS} characters. A person can take larger files to the dashboard.`;
    refuse('payload_too_large', 'The file is too large for an argument.', { fields: [{ path, message }] });
  }
  return text;
}

function unknownArgument(name: string, known: readonly string[]): FieldProblem {
  const near = nearest(name, known);
  const hint = near ? `Did you mean ${near}?` : `Known: ${known.join(', ') || 'none'}.`;
  return { path: `arguments.${name.slice(0, 60)}`, message: `Is not a known argument. ${hint}` };
}

function refuseFields(fields: FieldProblem[]): void {
  if (fields.length > 0) refuse('validation_failed', 'Some arguments are not valid.', { fields });
}
