import type { GraphQLSchema } from 'graphql';
import { API_VERSION } from '../../src/events/catalogue.ts';
import { config } from '../../src/kernel/config.ts';
import { yieldToEventLoop } from '../../src/kernel/yield.ts';
import { APIS, fullPath } from '../apis.ts';
import { CODE_SCHEMA_PATH } from '../codeSchema.ts';
import type { CompiledRoute } from '../route.ts';
import { aboutApi, TAGS } from './about.ts';
import { ALWAYS, codesOf, describeRefusals, ERROR_SCHEMA, errorExamples, refusalsWith } from './errors.ts';
import { HEADERS, PARAMETERS, parametersOf, usualHeaders } from './parameters.ts';
import { type Json, ref, shareParts } from './parts.ts';
import { describeRequestBody, inputSchemas } from './requests.ts';
import { describeAnswers, makeExamples, responseSchemas } from './responses.ts';
import { describeWebhooks, eventComponents } from './webhooks.ts';

const described = new WeakMap<CompiledRoute[], { baseUrl: string; document: Json }>();

/** What `describeApi` makes of the rows, kept: it takes a third of a second. Nobody may change it. */
export function documentOf(routes: CompiledRoute[], schema: GraphQLSchema): Json {
  const { baseUrl } = config;
  const known = described.get(routes);
  if (known?.baseUrl === baseUrl) return known.document;
  const document = describeApi(routes, schema);
  described.set(routes, { baseUrl, document });
  return document;
}

/** Makes the document before anybody asks for it, in pieces between which requests are answered. */
export async function prepareDocument(routes: CompiledRoute[], schema: GraphQLSchema): Promise<void> {
  const { baseUrl } = config;
  const turn = yieldToEventLoop();
  const steps = describeInSteps(routes, schema);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return void described.set(routes, { baseUrl, document: step.value });
    await turn();
  }
}

/**
 * The OpenAPI 3.1 document of the rows: paths, parameters, bodies, answers, errors, and what receivers are sent. Its
 * server is the origin and paths are written in full, because generators pass over servers of single paths.
 */
export function describeApi(routes: CompiledRoute[], schema: GraphQLSchema): Json {
  const steps = describeInSteps(routes, schema);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

function* describeInSteps(routes: CompiledRoute[], schema: GraphQLSchema): Generator<void, Json> {
  const answers = responseSchemas(routes, schema);
  yield;
  const events = eventComponents();
  // Resources are as operations show them; an event is one of its types.
  const shown = { ...events, ...answers.components, Event: events.Event as Json, Error: ERROR_SCHEMA };
  const inputs = inputSchemas(routes, schema, new Set(Object.keys(shown)));
  const schemas: Record<string, Json> = { ...shown, ...inputs.components };
  const exampleOf = makeExamples(schemas);
  yield;

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

  const paths: Record<string, Json> = Object.fromEntries(
    DOCUMENTS.map(({ path, ...about }) => [fullPath({ path }), { get: describeDocument(about) }]),
  );
  for (const route of routes) {
    const path = fullPath(route);
    paths[path] = {
      ...paths[path],
      ...serversOf(route),
      [route.method.toLowerCase()]: describeOperation(route),
    };
    yield;
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
          description: 'A secret key, `sk_live_…`. It belongs to one project, and its scopes limit what it may do.',
        },
        publishableKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-SVC-Key',
          description:
            'A publishable key, `pk_live_…`, for apps. It is not secret: anyone who has the app can read it.',
        },
      },
    },
  });
}

function needOf({ scope, on }: CompiledRoute): string {
  if (on.keyKind === 'publishable') return 'Needs a publishable key.';
  return scope ? `Needs the scope \`${scope}\`.` : 'Needs a secret key, of any scope.';
}

function securityOf({ on }: CompiledRoute): Json {
  return on.keyKind === 'publishable' ? { security: [{ publishableKey: [] }] } : {};
}

/** The SDK API may have a second origin, SDK_URL. */
function serversOf({ on }: CompiledRoute): Json {
  if (on === APIS.rest || !config.sdkUrl || config.sdkUrl === config.baseUrl) return {};
  return { servers: [config.sdkUrl, config.baseUrl].map((url) => ({ url, description: 'For apps.' })) };
}

/** The path of the document itself, within the REST API. */
export const DOCUMENT_PATH = '/openapi.json';
const DOCUMENT_TAG = 'Document';

/** The operations that are not in the table of routes, because what they answer is derived from that table. */
const DOCUMENTS = [
  {
    path: DOCUMENT_PATH,
    operationId: 'getOpenApi',
    summary: 'This document',
    description:
      'The OpenAPI 3.1 document of every operation of this installation, and of what webhooks receive.\n\nNeeds no key.',
    type: 'application/json',
    example: { openapi: '3.1.0' },
  },
  {
    path: CODE_SCHEMA_PATH,
    operationId: 'getCodeSchema',
    summary: 'The schema of links as code',
    description:
      'The JSON Schema of the files that `svc plan` and `svc apply` read, for editors: its fields are those of the ' +
      'bodies that create links, tags, domains and webhooks.\n\nNeeds no key.',
    type: 'application/schema+json',
    example: { $schema: 'https://json-schema.org/draft/2020-12/schema' },
  },
];

function describeDocument({ type, example, ...about }: Omit<(typeof DOCUMENTS)[number], 'path'>): Json {
  const schema = { type: 'object', additionalProperties: true };
  return {
    ...about,
    tags: [DOCUMENT_TAG],
    security: [],
    parameters: [ref('parameters', 'RequestId')],
    responses: {
      200: {
        description: 'Success.',
        headers: usualHeaders(),
        content: { [type]: { schema, example } },
      },
      ...refusalsWith(ALWAYS, false),
    },
  };
}

function describeTag(name: string): Json {
  return { name, description: TAGS[name] ?? `Operations on ${name.toLowerCase()}.` };
}
