import { decidesByBody, isAlwaysConfirmed } from './decideHazards.ts';
import { elsewhereOf, wayOf } from './offered.ts';
import type { Json, Operation, Parts } from './parts.ts';
import { argumentsOf, slimSchema } from './slimSchema.ts';
import type { ToolCall } from './toolCall.ts';
import { wordsOf } from './words.ts';

/** Operations that have the words, the best first; also those that are not offered, so that a person can be told. */
export function searchOperations({ api }: Parts, text: string): Operation[] {
  const stems = wordsOf(text.replaceAll('_', ' ')).map((word) => word.replace(/(ies|es|s|ing|ed)$/, ''));
  return api.operations
    .map((operation) => ({ operation, score: scoreOf(operation, stems, text) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ operation }) => operation);
}

/** An operation with its arguments, and how an assistant calls it; for one that is not offered, where people do. */
export function shownOperation(operation: Operation, { parts, session }: ToolCall): Json {
  const { id, summary, scope, rehearses, danger } = operation;
  const way = wayOf(operation);
  if (way === null) return { operation: id, summary, not_offered: elsewhereOf(operation, parts.baseUrl()) };
  const { properties, required } = argumentsOf(operation, parts.api.schemas);
  const slim = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, slimSchema(schema, parts.api.schemas, 1)]),
  );
  return {
    operation: id,
    tool: way,
    summary,
    scope,
    ...(scope && !session.scopes.has(scope) ? { allowed: false } : {}),
    ...(danger ? { danger } : {}),
    ...(isAlwaysConfirmed(operation)
      ? { confirmed: 'always' }
      : decidesByBody(operation)
        ? { confirmed: 'by its arguments' }
        : {}),
    ...(way === 'write_api' ? { dry_run: rehearses } : {}),
    arguments: slim,
    required,
  };
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
