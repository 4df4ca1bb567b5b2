import type { GraphQLSchema } from 'graphql';
import { SCOPES } from '../src/access/scopes.ts';
import { API_VERSION, BATCH_TYPE, EVENT_TYPES } from '../src/events/catalogue.ts';
import { ERROR_STATUS, type ErrorCode } from '../src/kernel/errors.ts';
import { VERSION } from '../src/kernel/version.ts';
import type { ApiName } from './apis.ts';
import { fullPath } from './apis.ts';
import { documentOf } from './openapi/document.ts';
import { ADVICE, codesOf } from './openapi/errors.ts';
import type { Json } from './openapi/parts.ts';
import { type CompiledRoute, DRY_RUN, keepsAnswers } from './route.ts';
import type { Danger } from './routes/Route.ts';

/** A parameter in the path or query of an operation. */
export interface ManifestParam {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description: string | null;
  schema: Json;
}

/** The body that an operation takes: JSON with a schema, or a file. */
export interface ManifestBody {
  mediaType: string;
  required: boolean;
  schema: Json;
  example: unknown;
}

/** A success. `kind` as in `answer` of Route; `schema` and `example` are of the JSON that the client gets, else null. */
export interface ManifestAnswer {
  status: number;
  kind: 'json' | 'upsert' | 'file' | 'csv' | 'stream' | 'none';
  mediaTypes: string[];
  schema: Json | null;
  example: unknown;
}

/** One operation, as clients, tools, commands and documentation see it. */
export interface ManifestOperation {
  id: string;
  /** `resource.verb`. */
  call: string;
  api: ApiName;
  method: string;
  /** With `{name}` for variables: `/api/v1/links/{id}`. */
  path: string;
  tag: string;
  /** Null: any key of the API. */
  scope: string | null;
  summary: string;
  description: string | null;
  /** Without `dry_run`, which every operation with `rehearses` takes. */
  params: ManifestParam[];
  body: ManifestBody | null;
  answer: ManifestAnswer;
  /** Every error code that it can answer. */
  codes: ErrorCode[];
  danger: Danger | null;
  /** The answer holds a secret. */
  secret: boolean;
  rehearses: boolean;
  /** It keeps answers for retries with an `Idempotency-Key`. */
  idempotent: boolean;
}

/** An event that webhooks receive. */
export interface ManifestEvent {
  type: string;
  summary: string;
  /** The name of its schema. */
  schema: string;
  example: unknown;
}

/** What every surface beside HTTP is computed from. Schemas are JSON Schemas that refer to `#/components/schemas/…`. */
export interface Manifest {
  version: string;
  apiVersion: string;
  tags: { name: string; description: string }[];
  operations: ManifestOperation[];
  events: ManifestEvent[];
  /** What webhooks with batches receive. */
  batch: ManifestEvent;
  /** The status of each error code. */
  errors: Record<string, number>;
  /** What people do about each error code, in Markdown. */
  advice: Record<string, string>;
  scopes: readonly string[];
  schemas: Record<string, Json>;
}

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
type Any = any;

/** The manifest of these rows; see `documentOf`, from which schemas and examples are taken. */
export function makeManifest(routes: CompiledRoute[], schema: GraphQLSchema): Manifest {
  const document = documentOf(routes, schema) as Any;
  const { components } = document;
  const resolved = (part: Any) => (part?.$ref ? part.$ref.split('/').slice(1).reduce(step, document) : part);
  return {
    version: VERSION,
    apiVersion: API_VERSION,
    tags: document.tags,
    operations: routes.map((route) => {
      const operation = document.paths[fullPath(route)][route.method.toLowerCase()];
      return {
        id: route.id,
        call: route.call,
        api: route.api ?? 'rest',
        method: route.method,
        path: fullPath(route),
        tag: route.tag,
        scope: route.scope,
        summary: route.summary,
        description: route.description ?? null,
        params: operation.parameters.map(resolved).filter(isParamOf(route)).map(shownParam),
        body: bodyOf(operation.requestBody),
        answer: answerOf(route, resolved(operation.responses[route.status]), components.examples),
        codes: codesOf(route),
        danger: route.danger ?? null,
        secret: route.secret === true,
        rehearses: route.rehearses === true,
        idempotent: keepsAnswers(route),
      };
    }),
    events: Object.keys(EVENT_TYPES).map((type) => eventOf(type, document)),
    batch: eventOf(BATCH_TYPE, document),
    errors: { ...ERROR_STATUS },
    advice: ADVICE,
    scopes: SCOPES,
    schemas: components.schemas,
  };
}

/** Every body that a webhook may receive: the events, and a batch of them. */
export function webhookBodies({ events, batch }: Manifest): ManifestEvent[] {
  return [...events, batch];
}

function eventOf(type: string, document: Any): ManifestEvent {
  const { summary, requestBody } = document.webhooks[type].post;
  const { schema, example } = requestBody.content['application/json'];
  return { type, summary, schema: nameOf(schema), example };
}

const step = (part: Any, key: string) => part[key];

/** An import has a `dry_run` of its own, which is a parameter like others. */
function isParamOf({ rehearses }: CompiledRoute): (parameter: Any) => boolean {
  return ({ name, in: place }) => place === 'path' || (place === 'query' && !(rehearses && name === DRY_RUN.name));
}

function shownParam({ name, in: place, required = false, description = null, schema }: Any): ManifestParam {
  return { name, in: place, required, description, schema };
}

function bodyOf(body: Any): ManifestBody | null {
  if (!body) return null;
  const [[mediaType, { schema, example = null }]] = Object.entries<Any>(body.content) as Any;
  return { mediaType, required: body.required ?? false, schema, example };
}

function answerOf(route: CompiledRoute, response: Any, examples: Json): ManifestAnswer {
  const { status } = route;
  if (status === 204) return { status, kind: 'none', mediaTypes: [], schema: null, example: null };
  const mediaTypes = Object.keys(response.content);
  const { schema, example, examples: shared } = response.content['application/json'] ?? {};
  const kind = route.answer ?? 'json';
  if (!schema) return { status, kind, mediaTypes, schema: null, example: null };
  const [name] = Object.keys(shared ?? {});
  return { status, kind, mediaTypes, schema, example: example ?? (examples[name ?? ''] as Any)?.value ?? null };
}

function nameOf(schema: Any): string {
  return schema.$ref.split('/').at(-1);
}
