import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { ROUTES } from '../../facade/routes/index.ts';
import { EVENT_TYPES } from '../../src/events/catalogue.ts';
import { sampleData } from '../../src/events/samples.ts';
import { ERROR_STATUS } from '../../src/kernel/errors.ts';
import { expectError } from '../support/expectError.ts';
import { startWorld, type World } from '../support/world.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
type Document = any;

describe('/openapi.json', () => {
  let world: World;
  let document: Document;

  before(async () => {
    world = await startWorld();
    document = (await world.api.as(null)('GET', '/openapi.json')).body;
  });
  after(() => world.stop());

  it('needs no key, and says where the API is', async () => {
    const response = await fetch(`${world.origin}/api/v1/openapi.json`);
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.match(/^application\/json\b/);
    expect(document.openapi).to.match(/^3\.1\./);
    const server = document.servers[0].url.replace('localhost', '127.0.0.1');
    expect(server).to.equal(`${world.origin}/api/v1`);
    expectError(await world.api('POST', '/openapi.json', {}), 405, 'method_not_allowed');
  });

  it('passes a strict linter', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        // Installations run where their owners run them: on localhost while they are tried out.
        'no-server-example.com': 'off',
      },
    });
    const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
    const shown = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
    expect(shown).to.deep.equal([]);
  });

  it('has the paths of the table of routes, no more and no less', () => {
    const described = Object.entries(document.paths as Document).flatMap(([path, item]) =>
      Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described).to.have.members(ROUTES.map(({ method, path }) => `${method} ${path}`));
  });

  for (const route of ROUTES) {
    it(`describes ${route.method} ${route.path}`, () => {
      const operation = document.paths[route.path][route.method.toLowerCase()];
      expect(operation).to.include({ operationId: route.id, summary: route.summary });
      if (route.scope) expect(operation.description).to.include(route.scope);
      const success = operation.responses[route.status];
      if (route.status === 204) expect(success.content).to.equal(undefined);
      else expect(resolve(success.content['application/json'].schema)).to.include.keys('properties', 'required');
      for (const status of [401, 403, 422, 500]) {
        expect(operation.responses[status].content['application/json'].schema.$ref).to.equal(
          '#/components/schemas/Error',
        );
      }
      const isWrite = route.method !== 'GET' && route.method !== 'DELETE';
      const statuses = [...(isWrite ? [400, 413, 415] : []), ...(route.path.includes('{') ? [404] : [])];
      expect(Object.keys(operation.responses)).to.include.members(statuses.map(String));
      for (const parameter of operation.parameters) {
        expect(parameter.schema.type, parameter.name).to.be.a('string');
        expect(parameter.name).to.match(/^[a-z_]+$/);
      }
    });
  }

  it('has every error code', () => {
    expect(document.components.schemas.Error.properties.error.properties.code.enum).to.have.members(
      Object.keys(ERROR_STATUS),
    );
  });

  it('has a webhook for every event type, whose sample fits it', () => {
    expect(Object.keys(document.webhooks)).to.have.members(Object.keys(EVENT_TYPES));
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ ...document, $id: 'api' });
    for (const type of Object.keys(EVENT_TYPES) as (keyof typeof EVENT_TYPES)[]) {
      const pointer = `/webhooks/${type}/post/requestBody/content/application~1json/schema`;
      const check = ajv.compile({ $ref: `api#${pointer}` });
      const envelope = {
        id: 'evt_1',
        type,
        api_version: '2026-11-01',
        created_at: new Date().toISOString(),
        team_id: 'team_1',
        project_id: null,
        test: true,
        data: sampleData(type),
      };
      expect(check(envelope), JSON.stringify(check.errors)).to.equal(true);
      expect(check({ ...envelope, data: undefined })).to.equal(false);
    }
  });

  it('describes bodies with the rules that are enforced', () => {
    const create = document.paths['/links'].post.requestBody.content['application/json'].schema;
    expect(create.required).to.deep.equal(['destination']);
    expect(create.additionalProperties).to.equal(false);
    expect(create.properties.slug).to.include({ type: 'string', maxLength: 190 });
    expect(create.properties.match_window_seconds).to.deep.include({ minimum: 60, maximum: 86_400 });
    const list = document.paths['/links'].get.parameters;
    const limit = list.find(({ name }: { name: string }) => name === 'limit');
    expect(limit.schema).to.deep.include({ type: 'integer', minimum: 1, maximum: 100 });
  });

  const resolve = (schema: Document): Document =>
    schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;
});
