import type { GraphQLSchema } from 'graphql';
import { API_VERSION } from '../src/events/catalogue.ts';
import { config } from '../src/kernel/config.ts';
import type { CompiledRoute } from './compileRoute.ts';
import { aboutApi, TAGS } from './openapi/about.ts';
import { describeAnswers } from './openapi/answers.ts';
import { ERROR_SCHEMA, errorExamples } from './openapi/error.ts';
import { makeExamples } from './openapi/exampleOf.ts';
import { HEADERS, usualHeaders } from './openapi/headers.ts';
import { inputSchemas } from './openapi/inputSchemas.ts';
import { type Json, ref } from './openapi/Json.ts';
import { PARAMETERS, parametersOf } from './openapi/parameters.ts';
import { ALWAYS, codesOf, describeRefusals, refusalsWith } from './openapi/refusals.ts';
import { describeRequestBody } from './openapi/requestBody.ts';
import { responseSchemas } from './openapi/responseSchemas.ts';
import { shareParts } from './openapi/shareParts.ts';
import { describeWebhooks, eventComponents } from './openapi/webhooks.ts';
import { fullPath, SURFACES } from './surfaces.ts';

/**
 * The OpenAPI 3.1 document of the rows: paths, parameters, bodies, answers, errors, and what receivers are sent. Its
 * server is the origin and paths are written in full, because generators pass over servers of single paths.
 */
export function describeApi(routes: CompiledRoute[], schema: GraphQLSchema): Json {
  const answers = responseSchemas(routes, schema);
  const events = eventComponents();
  // Resources are as operations show them; an event is one of its types.
  const shown = { ...events, ...answers.components, Event: events.Event as Json, Error: ERROR_SCHEMA };
  const inputs = inputSchemas(routes, schema, new Set(Object.keys(shown)));
  const schemas: Record<string, Json> = { ...shown, ...inputs.components };
  const exampleOf = makeExamples(schemas);

  const describeOperation = (route: CompiledRoute): Json => ({
    operationId: route.id,
    summary: route.summary,
    description: [route.description, needOf(route)].filter(Boolean).join('\n\n'),
    tags: [route.tag],
    ...securityOf(route),
    parameters: parametersOf(route),
    ...describeRequestBody(route, inputs.bodies.get(route.id), exampleOf),
    responses: {
      ...describeAnswers(route, answers.responses.get(route.id) ?? {}, exampleOf),
      ...describeRefusals(route),
    },
  });

  const paths: Record<string, Json> = { [fullPath({ path: DOCUMENT_PATH })]: { get: describeDocument() } };
  for (const route of routes) {
    const path = fullPath(route);
    paths[path] = {
      ...paths[path],
      ...serversOf(route),
      [route.method.toLowerCase()]: describeOperation(route),
    };
  }
  const codes = [...new Set(routes.flatMap(codesOf))];
  return shareParts({
    openapi: '3.1.0',
    info: {
      title: 'svc API',
      version: API_VERSION,
      summary: 'Short links, deep links, attribution and webhooks',
      description: aboutApi(),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: config.baseUrl, description: 'This installation.' }],
    security: [{ secretKey: [] }],
    tags: [...new Set([...routes.map((route) => route.tag), DOCUMENT_TAG])].map(describeTag),
    paths,
    webhooks: describeWebhooks(),
    components: {
      schemas,
      headers: HEADERS,
      parameters: PARAMETERS,
      examples: errorExamples(codes),
      securitySchemes: {
        secretKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A secret key, `sk_live_…`. It belongs to one project, and its scopes say what it may do.',
        },
        publishableKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-SVC-Key',
          description: 'A publishable key, `pk_live_…`, for apps. It is no secret: whoever has the app can read it.',
        },
      },
    },
  });
}

function needOf({ scope, on }: CompiledRoute): string {
  if (on.keyKind === 'publishable') return 'Needs a publishable key.';
  return scope ? `Needs the scope \`${scope}\`.` : 'Needs no key.';
}

function securityOf({ scope, on }: CompiledRoute): Json {
  if (on.keyKind === 'publishable') return { security: [{ publishableKey: [] }] };
  return scope ? {} : { security: [] };
}

/** Apps may have an origin of their own beside the document's. */
function serversOf({ on }: CompiledRoute): Json {
  if (on === SURFACES.rest || !config.sdkUrl || config.sdkUrl === config.baseUrl) return {};
  return { servers: [config.sdkUrl, config.baseUrl].map((url) => ({ url, description: 'For apps.' })) };
}

/** Where the document itself is, below the path of REST. */
export const DOCUMENT_PATH = '/openapi.json';
const DOCUMENT_TAG = 'Document';

/** The one operation that is no row of the table: it reads the table itself. */
function describeDocument(): Json {
  const schema = { type: 'object', additionalProperties: true };
  return {
    operationId: 'getOpenApi',
    summary: 'This document',
    description:
      'OpenAPI 3.1 of every operation of this installation, and of what receivers are sent.\n\nNeeds no key.',
    tags: [DOCUMENT_TAG],
    security: [],
    parameters: [ref('parameters', 'RequestId')],
    responses: {
      200: {
        description: 'Success.',
        headers: usualHeaders(),
        content: { 'application/json': { schema, example: { openapi: '3.1.0' } } },
      },
      ...refusalsWith(ALWAYS, false),
    },
  };
}

function describeTag(name: string): Json {
  return { name, description: TAGS[name] ?? `Operations on ${name.toLowerCase()}.` };
}
