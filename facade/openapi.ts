import type { GraphQLSchema } from 'graphql';
import { schemaOfInput, schemaOfInputs } from '../schema/inputSchema.ts';
import { wireName } from '../schema/rules.ts';
import { API_VERSION, EVENT_TYPES } from '../src/events/catalogue.ts';
import { config } from '../src/kernel/config.ts';
import { ERROR_STATUS, type ErrorCode } from '../src/kernel/errors.ts';
import { OWN_PATHS } from '../src/kernel/ownPaths.ts';
import type { CompiledRoute } from './compileRoute.ts';
import { ERROR_SCHEMA, EVENT_SCHEMA } from './openapiParts.ts';
import { responseSchemas } from './responseSchema.ts';

type Json = Record<string, unknown>;

/** Codes that every operation with a key can answer. */
const COMMON: ErrorCode[] = [
  'missing_key',
  'invalid_key',
  'publishable_key_refused',
  'insufficient_scope',
  'validation_failed',
  'internal_error',
  'unavailable',
];
const WITH_BODY: ErrorCode[] = ['invalid_json', 'payload_too_large', 'unsupported_media_type', 'team_read_only'];

/** The OpenAPI 3.1 document of the rows: paths, parameters, bodies, answers and errors. */
export function describeApi(routes: CompiledRoute[], schema: GraphQLSchema): Json {
  const { responses, components } = responseSchemas(routes, schema);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: describeOperation(route, responses.get(route.id)),
    };
  }
  const tags = [...new Set(routes.map((route) => route.tag))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc API',
      version: API_VERSION,
      summary: 'Short links, deep links, attribution and webhooks',
      description:
        'JSON in and out. Times are ISO 8601 in UTC. Errors are `{"error": {"code", "message", "request_id"}}`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${config.baseUrl}${OWN_PATHS.api}` }],
    security: [{ secretKey: [] }],
    tags: tags.map((name) => ({ name, description: `Operations on ${name.toLowerCase()}.` })),
    paths,
    webhooks: describeWebhooks(),
    components: {
      schemas: { ...components, Error: ERROR_SCHEMA, Event: EVENT_SCHEMA },
      securitySchemes: {
        secretKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A secret key, `sk_live_…`. It belongs to one project.',
        },
      },
    },
  };
}

function describeOperation(route: CompiledRoute, response: Json | undefined): Json {
  const success =
    route.status === 204
      ? { description: 'Done.' }
      : { description: 'Success.', content: { 'application/json': { schema: response } } };
  return {
    operationId: route.id,
    summary: route.summary,
    description: [route.description, route.scope ? `Needs the scope \`${route.scope}\`.` : null]
      .filter(Boolean)
      .join('\n\n'),
    tags: [route.tag],
    ...(route.scope ? {} : { security: [] }),
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...(route.bodyType ? { requestBody: describeBody(route) } : {}),
    responses: { [route.status]: success, ...describeErrors(route) },
  };
}

function pathParameters(route: CompiledRoute): Json[] {
  return [...route.pathVariables.keys()].map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(route: CompiledRoute): Json[] {
  return route.queryArguments.map((arg) => {
    const { description, type, ...rest } = schemaOfInput(arg, 'wire');
    const bare = Array.isArray(type) ? type.filter((name) => name !== 'null')[0] : type;
    const choices = Array.isArray(rest.enum) ? { enum: rest.enum.filter((value) => value !== null) } : {};
    const parameter = {
      name: wireName(arg.name),
      in: 'query',
      required: false,
      schema: { ...rest, ...choices, type: bare },
    };
    return description ? { ...parameter, description } : parameter;
  });
}

function describeBody(route: CompiledRoute): Json {
  const schema = schemaOfInputs(Object.values(route.bodyType?.getFields() ?? {}), 'wire');
  return { required: true, content: { 'application/json': { schema } } };
}

function describeErrors(route: CompiledRoute): Json {
  const codes = new Set<ErrorCode>([...COMMON, ...(route.errors ?? [])]);
  if (route.method !== 'GET') for (const code of WITH_BODY) codes.add(code);
  if (route.queryArguments.some((arg) => arg.name === 'cursor')) codes.add('invalid_request');
  if (route.pathVariables.size > 0 || route.id.startsWith('lookup')) codes.add('not_found');
  const byStatus = Map.groupBy(codes, (code) => ERROR_STATUS[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, listed]) => [
      status,
      {
        description: listed.map((code) => `\`${code}\``).join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

function describeWebhooks(): Json {
  return Object.fromEntries(
    Object.entries(EVENT_TYPES).map(([type, about]) => [
      type,
      {
        post: {
          operationId: `on ${type}`.replace(/[ ._](\w)/g, (_, letter: string) => letter.toUpperCase()),
          summary: about,
          description: 'Signed with `SVC-Signature`. Any 2xx within 10 seconds is success.',
          security: [],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } },
          },
          responses: { '2XX': { description: 'Taken.' }, '4XX': { description: 'Refused; it is sent again.' } },
        },
      },
    ]),
  );
}
