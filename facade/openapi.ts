import type { GraphQLSchema } from 'graphql';
import { API_VERSION } from '../src/events/catalogue.ts';
import { config } from '../src/kernel/config.ts';
import { OWN_PATHS } from '../src/kernel/ownPaths.ts';
import type { CompiledRoute } from './compileRoute.ts';
import { aboutApi, TAGS } from './openapi/about.ts';
import { describeAnswers } from './openapi/answers.ts';
import { ERROR_EXAMPLES, ERROR_SCHEMA } from './openapi/error.ts';
import { makeExamples } from './openapi/exampleOf.ts';
import { HEADERS } from './openapi/headers.ts';
import { inputSchemas } from './openapi/inputSchemas.ts';
import type { Json } from './openapi/Json.ts';
import { PARAMETERS, parametersOf } from './openapi/parameters.ts';
import { codesOf, describeRefusals } from './openapi/refusals.ts';
import { describeRequestBody } from './openapi/requestBody.ts';
import { responseSchemas } from './openapi/responseSchemas.ts';
import { describeWebhooks, eventComponents } from './openapi/webhooks.ts';
import { SURFACES } from './surfaces.ts';

/** The OpenAPI 3.1 document of the rows: paths, parameters, bodies, answers, errors, and what receivers are sent. */
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

  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      ...serversOf(route),
      [route.method.toLowerCase()]: describeOperation(route),
    };
  }
  const codes = new Set<string>(routes.flatMap(codesOf));
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc API',
      version: API_VERSION,
      summary: 'Short links, deep links, attribution and webhooks',
      description: aboutApi(),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${config.baseUrl}${OWN_PATHS.api}`, description: 'This installation.' }],
    security: [{ secretKey: [] }],
    tags: [...new Set(routes.map((route) => route.tag))].map(describeTag),
    paths,
    webhooks: describeWebhooks(),
    components: {
      schemas,
      headers: HEADERS,
      parameters: PARAMETERS,
      examples: Object.fromEntries(Object.entries(ERROR_EXAMPLES).filter(([code]) => codes.has(code))),
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
  };
}

function needOf({ scope, on }: CompiledRoute): string {
  if (on.keyKind === 'publishable') return 'Needs a publishable key.';
  return scope ? `Needs the scope \`${scope}\`.` : 'Needs no key.';
}

function securityOf({ scope, on }: CompiledRoute): Json {
  if (on.keyKind === 'publishable') return { security: [{ publishableKey: [] }] };
  return scope ? {} : { security: [] };
}

/** Apps have a place of their own; nothing where it is the document's. */
function serversOf({ on }: CompiledRoute): Json {
  if (on === SURFACES.rest) return {};
  const origins = [...new Set([config.sdkUrl ?? config.baseUrl, config.baseUrl])];
  return { servers: origins.map((origin) => ({ url: `${origin}${on.path}`, description: 'For apps.' })) };
}

function describeTag(name: string): Json {
  return { name, description: TAGS[name] ?? `Operations on ${name.toLowerCase()}.` };
}
