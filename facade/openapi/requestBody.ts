import type { CompiledRoute } from '../compileRoute.ts';
import { REQUEST_EXAMPLES, TEXT_EXAMPLES } from '../examples.ts';
import { CSV_LIMIT } from '../readBody.ts';
import type { Examples } from './exampleOf.ts';
import type { Json } from './Json.ts';

/** The body that an operation takes; nothing where it takes none. */
export function describeRequestBody(route: CompiledRoute, schema: Json | undefined, exampleOf: Examples): Json {
  if (route.takes === 'csv') {
    const example = TEXT_EXAMPLES[route.id];
    const content = { schema: { type: 'string', contentMediaType: 'text/csv' }, ...(example ? { example } : {}) };
    const description = `A CSV file in UTF-8, at most ${CSV_LIMIT / 1_000_000} MB.`;
    return { requestBody: { description, required: true, content: { 'text/csv': content } } };
  }
  if (!schema) return {};
  const example = REQUEST_EXAMPLES[route.id] ?? exampleOf(schema);
  const about = [
    ...(route.method === 'PATCH' && !route.needsBody
      ? ['Without a body, or with an empty one, nothing is changed.']
      : []),
    ...(route.bodyLimit ? [`At most ${route.bodyLimit / 1024 / 1024} MiB.`] : []),
  ];
  const description = about.length > 0 ? { description: about.join(' ') } : {};
  return {
    requestBody: { ...description, required: route.needsBody, content: { 'application/json': { schema, example } } },
  };
}
