import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { FORMATS } from '../../schema/formats.ts';
import type { Document } from './clientDocument.ts';

/** Times as the contract has them: UTC with milliseconds. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * What is wrong with an envelope by the schema of its type in the document. Stricter than the document is for clients,
 * who pass over fields that they do not know: here a field that the document does not have is wrong, too.
 */
export function eventMisfits(document: Document): (envelope: Document) => ErrorObject[] {
  // Formats of ours have a pattern beside them, which is what counts.
  const own = Object.fromEntries(Object.keys(FORMATS).map((name) => [name, true as const]));
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    allErrors: true,
    formats: { ...own, 'date-time': TIME },
    keywords: ['discriminator'],
  });
  const components = closed(document.components.schemas) as Record<string, object>;
  for (const [name, schema] of Object.entries(components)) {
    ajv.addSchema(relocated(schema) as object, name);
  }
  const compiled = new Map<string, ValidateFunction>();
  return (envelope) => {
    const { type } = envelope;
    const reference: string = document.webhooks[type].post.requestBody.content['application/json'].schema.$ref;
    const check = compiled.get(type) ?? ajv.compile({ $ref: reference.slice(reference.lastIndexOf('/') + 1) });
    compiled.set(type, check);
    check(envelope);
    return check.errors ?? [];
  };
}

/** Objects whose fields are listed have no others. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== 'object') return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return inner.properties && inner.additionalProperties === undefined && inner.required
    ? { ...inner, additionalProperties: false }
    : inner;
}

/** Every component is a schema of its own here. */
function relocated(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"'));
}
