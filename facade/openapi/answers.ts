import type { CompiledRoute } from '../compileRoute.ts';
import { TEXT_EXAMPLES } from '../examples.ts';
import type { Examples } from './exampleOf.ts';
import { successHeaders } from './headers.ts';
import type { Json } from './Json.ts';

/** Every answer of success of an operation, by status; `schema` is that of its JSON. */
export function describeAnswers(route: CompiledRoute, schema: Json, exampleOf: Examples): Json {
  const answer = (description: string, content?: Json) => ({
    description,
    headers: successHeaders(route),
    ...(content ? { content } : {}),
  });
  if (route.status === 204) return { 204: answer('Done.') };
  if (route.answer === 'file' || route.answer === 'csv') return { [route.status]: answer('The file.', filesOf(route)) };
  const json = { 'application/json': { schema, example: exampleOf(schema) } };
  if (route.answer === 'upsert')
    return { 200: answer('It was there, and is changed.', json), 201: answer('Made.', json) };
  return { [route.status]: answer(ABOUT[route.status], json) };
}

const ABOUT = { 200: 'Success.', 201: 'Made.', 202: 'Accepted; the work is done after this answer.', 204: 'Done.' };

/** Bytes as they are: no JSON, so `contentMediaType` says what they hold. */
function filesOf(route: CompiledRoute): Json {
  const types = route.mediaTypes ?? ['text/csv'];
  return Object.fromEntries(
    types.map((type) => {
      const isText = /^text\/|\+xml$/.test(type);
      const example = isText ? TEXT_EXAMPLES[route.id] : undefined;
      return [type, { schema: { type: 'string', contentMediaType: type }, ...(example ? { example } : {}) }];
    }),
  );
}
