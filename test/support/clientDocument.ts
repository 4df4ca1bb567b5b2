import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { fullPath } from '../../facade/apis.ts';
import type { Route } from '../../facade/routes/Route.ts';
import type { World } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
export type Document = any;

/** The OpenAPI document of a product, as a client reads it. */
export interface ClientDocument {
  document: Document;
  /** An operation; its answers with what their references name. */
  operation(route: Route): Document;
  /** What a `$ref` names; anything else as it is. */
  resolve(part: Document): Document;
  /** What is wrong with a value by the schema at that place of the document. */
  misfits(place: (string | number)[], value: unknown): ErrorObject[];
}

/** The document of this world for the tests of this block, which is read before them. */
export function useDocument(world: World): ClientDocument {
  const client = {} as ClientDocument;
  before(async () => {
    Object.assign(client, await readDocument(world));
  });
  return client;
}

export async function readDocument(world: World): Promise<ClientDocument> {
  const document = (await world.api.as(null)('GET', '/openapi.json')).body;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  const compiled = new Map<string, ValidateFunction>();
  ajv.addSchema({ ...document, $id: 'api' });
  const resolve = (part: Document): Document =>
    part.$ref
      ? part.$ref
          .slice(2)
          .split('/')
          .reduce((inner: Document, key: string) => inner[key], document)
      : part;
  return {
    document,
    operation(route) {
      const { responses, ...operation } = document.paths[fullPath(route)][route.method.toLowerCase()];
      const resolved = Object.entries(responses).map(([status, response]) => [status, resolve(response)]);
      return { ...operation, responses: Object.fromEntries(resolved) };
    },
    resolve,
    misfits(place, value) {
      // What stands behind a reference is compiled once, wherever it is used.
      let at: (string | number)[] = [];
      let schema = document;
      for (const key of place) {
        at = typeof schema.$ref === 'string' ? schema.$ref.slice(2).split('/') : at;
        schema = resolve(schema)[key];
        at = [...at, key];
      }
      const pointer = typeof schema.$ref === 'string' ? schema.$ref.slice(2) : pointerTo(at);
      const check = compiled.get(pointer) ?? ajv.compile({ $ref: `api#/${pointer}` });
      compiled.set(pointer, check);
      check(value);
      return check.errors ?? [];
    },
  };
}

/** Where the schema of an answer stands. */
export function answerPlace(route: Route, status: number): (string | number)[] {
  return [
    'paths',
    fullPath(route),
    route.method.toLowerCase(),
    'responses',
    status,
    'content',
    'application/json',
    'schema',
  ];
}

function pointerTo(place: (string | number)[]): string {
  return encodeURI(place.map((key) => String(key).replaceAll('~', '~0').replaceAll('/', '~1')).join('/'));
}
