import type { Manifest, ManifestOperation, ManifestParam } from '../manifest.ts';
import { DURING_WORK } from '../openapi/parameters.ts';
import type { Json } from '../openapi/parts.ts';
import { ENVELOPE_LINES, isEnvelope, limitsText, namesUsedBy, typeLines, typeText } from './schemaText.ts';

/** What `danger` of an operation means for who calls it. */
export const DANGERS: Record<NonNullable<ManifestOperation['danger']>, string> = {
  deletes: 'Deletes for good.',
  stops: 'Stops something that works.',
  sends: 'Sends something that cannot be taken back.',
  reveals: 'Reveals a secret.',
};

/** An operation in Markdown: a heading, its parameters as lines, bodies and answers by the names of their types. */
export function operationText(operation: ManifestOperation): string {
  const { summary, call, id, method, path, description, params, body, danger } = operation;
  return [
    `### ${summary}`,
    '',
    `\`${method} ${path}\` · \`${call}\` · \`${id}\``,
    [description, needText(operation), danger && DANGERS[danger]].filter(Boolean).join(' ').replaceAll('\n\n', '\n'),
    ...params.map(paramLine),
    `${body ? `Body${body.required ? '' : ' (optional)'}: ${bodyText(body)}. ` : ''}Answer: ${answerText(operation)}.${codesText(operation)}`,
  ].join('\n');
}

/** The scope of an operation, and what else it takes. */
export function needText({ scope, api, rehearses, idempotent }: ManifestOperation): string {
  const key = api === 'sdk' ? 'Publishable key' : scope ? `Scope \`${scope}\`` : 'Secret key of any scope';
  return `${[key, rehearses && 'takes `dry_run`', idempotent && 'takes `Idempotency-Key`'].filter(Boolean).join(', ')}.`;
}

function paramLine({ name, in: place, required, description, schema }: ManifestParam): string {
  const notes = [limitsText(schema), description].filter(Boolean).join('. ');
  return `- ${name}${required ? '*' : ''}${place === 'path' ? ' (path)' : ''}: ${typeText(schema)}${notes ? `. ${notes}` : ''}`;
}

function bodyText({ mediaType, schema }: NonNullable<ManifestOperation['body']>): string {
  return mediaType === 'application/json' ? `\`${typeText(schema)}\`` : `${mediaType} file`;
}

/** The statuses of a success and what comes with them. */
export function answerText({ answer: { status, kind, schema, mediaTypes } }: ManifestOperation): string {
  if (kind === 'none') return `${status}, no body`;
  const statuses = kind === 'upsert' ? '200 or 201 (created)' : String(status);
  return `${statuses} ${schema ? `\`${typeText(schema)}\`` : mediaTypes.join(' or ')}`;
}

/** The codes that say something about this operation; the others every operation of its kind has. */
export function specialCodes({ codes }: ManifestOperation): string[] {
  return codes.filter((code) => DURING_WORK.includes(code));
}

function codesText(operation: ManifestOperation): string {
  const codes = specialCodes(operation);
  return codes.length > 0 ? ` Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.` : '';
}

/** The types that these parts use, once each. */
export function typesText(parts: unknown[], { schemas }: Manifest): string {
  const names = namesUsedBy(parts, schemas);
  const envelope = names.some((name) => isEnvelope(schemas[name] as Json)) ? [ENVELOPE_LINES] : [];
  const said = new Set<string>();
  return ['```ts', ...envelope, ...names.map((name) => typeLines(name, schemas, said)), '```'].join('\n');
}

/** The schemas that an operation names, without descriptions that other operations share. */
export function partsOf({ params, body, answer }: ManifestOperation): unknown[] {
  return [params.map(({ schema }) => schema), body?.schema, answer.schema];
}
