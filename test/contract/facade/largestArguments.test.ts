// plays, stores: any
import { request } from 'node:http';
import { type GraphQLField, type GraphQLObjectType, type GraphQLSchema, getNamedType, isCompositeType } from 'graphql';
import type { ManifestOperation } from '../../../facade/manifest.ts';
import { makeManifest } from '../../../facade/manifest.ts';
import { compileRoutes } from '../../../facade/route.ts';
import { buildGraphqlSchema } from '../../../schema/build.ts';
import { schemaOfInputs } from '../../../schema/inputSchema.ts';
import { expectShort, type Send, someKinds } from '../../support/expectShort.ts';
import { FILLINGS, largest, MISSHAPEN } from '../../support/largestArguments.ts';
import { ownerSession } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

/** What fits into the first line of a request, and into its headers. */
const LINE = 12_000;

describe('the largest arguments that are let through', function () {
  this.timeout(600_000);
  const world = useWorld();
  let schema: GraphQLSchema;
  let cookie: string;

  before(async () => {
    schema = buildGraphqlSchema();
    cookie = await ownerSession(world);
  });

  const ask = (method: string, path: string, headers: Record<string, string>, body?: string): Promise<unknown> =>
    new Promise((resolve) => {
      const url = new URL(world.origin);
      const sent = request({ host: url.hostname, port: url.port, method, path, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.once('close', () => resolve({ status: response.statusCode, body: Buffer.concat(chunks).toString() }));
        // Streams have no end of their own.
        if (response.headers['content-type']?.startsWith('text/event-stream')) response.destroy();
      });
      // A body beyond the limit may be answered with the end of the connection before it is sent.
      sent.once('error', () => resolve(undefined));
      sent.end(body);
    });
  const json = { 'Content-Type': 'application/json' };

  const keyOf = ({ api }: ManifestOperation): Record<string, string> =>
    api === 'sdk' ? { 'X-SVC-Key': world.publishableKey } : { Authorization: `Bearer ${world.secretKey}` };

  it('hold up nobody: operations of the API and of apps', async () => {
    const manifest = makeManifest(compileRoutes(schema), schema);
    const requests = manifest.operations.flatMap((operation, nth): [string, Send][] => {
      const { id, method, path, params, body } = operation;
      const headers = { ...keyOf(operation), ...(body ? { 'Content-Type': body.mediaType } : {}) };
      const bytes = operation.api === 'sdk' ? 64_000 : /bulk/i.test(id) ? 1_000_000 : 256_000;
      const targetOf = (filling: (length: number) => string) => {
        const each = (count: number) => encodeURIComponent(filling(Math.floor(LINE / 12 / count)));
        const query = params
          .filter((param) => param.in === 'query')
          .map(({ name }) => `${name}=${each(params.length)}`);
        return `${path.replace(/\{\w+\}/g, () => each(2) || 'x')}?${query.join('&')}`;
      };
      const filled = someKinds(FILLINGS, nth).map(([name, filling]): [string, Send] => {
        const value = body?.mediaType === 'application/json' ? largest(body.schema, manifest.schemas, filling) : null;
        const text =
          body?.mediaType === 'text/csv' ? `url\n${filling(500_000)}` : JSON.stringify(value).slice(0, bytes);
        const target = body ? path.replace(/\{\w+\}/g, 'x') : targetOf(filling);
        return [`${id} ${name}`, () => ask(method, target, headers, body ? text : undefined)];
      });
      const shapes = body?.mediaType === 'application/json' ? someKinds(MISSHAPEN, nth) : [];
      const misshapen = shapes.map(([name, make]): [string, Send] => {
        const text = make(bytes);
        return [`${id} ${name}`, () => ask(method, path.replace(/\{\w+\}/g, 'x'), headers, text)];
      });
      const many = Array.from({ length: LINE / 5 }, (_, at) => `a${at}=`).join('&');
      return [...filled, ...misshapen, [`${id} many parameters`, () => ask(method, `${path}?${many}`, headers, '{}')]];
    });
    await expectShort(requests);
  });

  it('hold up nobody: fields of GraphQL', async () => {
    const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.values((type as GraphQLObjectType).getFields()).map((field) => ({
        field,
        isQuery: type === schema.getQueryType(),
      })),
    );
    const requests = fields.flatMap(({ field, isQuery }, nth) =>
      someKinds(FILLINGS, nth).map(([name, filling]): [string, Send] => {
        const text = documentOf(field, isQuery, filling);
        const headers = { ...json, Cookie: cookie, Origin: world.origin, 'Sec-Fetch-Site': 'same-origin' };
        return [`${field.name} ${name}`, () => ask('POST', '/graphql', headers, text)];
      }),
    );
    // Its session ends there.
    const last = requests.filter(([name]) => /^(signOut|deleteAccount|endSession)/.test(name));
    await expectShort([...requests.filter((one) => !last.includes(one)), ...last]);
  });
});

function documentOf(
  field: GraphQLField<unknown, unknown>,
  isQuery: boolean,
  filling: (length: number) => string,
): string {
  const variables = largest(schemaOfInputs(field.args, 'graph'), {}, filling) as Record<string, unknown>;
  const declared = field.args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const given = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const selection = isCompositeType(getNamedType(field.type)) ? ' { __typename }' : '';
  const query = `${isQuery ? 'query' : 'mutation'} ${declared ? `(${declared})` : ''} { ${field.name}${given ? `(${given})` : ''}${selection} }`;
  return JSON.stringify({ query, variables });
}
