// stores: any
import { expect } from 'chai';
import { fullPath } from '../../../facade/apis.ts';
import { describeApi } from '../../../facade/openapi/document.ts';
import { compileRoute } from '../../../facade/route.ts';
import { ROUTES } from '../../../facade/routes/index.ts';
import { buildGraphqlSchema } from '../../../schema/build.ts';
import { EVENT_TYPES, type EventType } from '../../../src/events/catalogue.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { config } from '../../../src/kernel/config.ts';
import { ERROR_STATUS } from '../../../src/kernel/errors.ts';
import { sampleData } from '../../../src/webhooks/samples.ts';
import { type Document, useDocument } from '../../support/clientDocument.ts';
import { expectError } from '../../support/expectError.ts';
import { useWorld } from '../../support/world.ts';

const TYPES = Object.keys(EVENT_TYPES) as EventType[];

describe('/openapi.json', () => {
  const world = useWorld();
  const client = useDocument(world);
  afterEach(() => clock.reset());

  it('needs no key, and says where the API is', async () => {
    const response = await fetch(`${world.origin}/api/v1/openapi.json`);
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.match(/^application\/json\b/);
    expect(client.document.openapi).to.match(/^3\.1\./);
    expect(client.document.servers.map(({ url }: Document) => url.replace('localhost', '127.0.0.1'))).to.deep.equal([
      world.origin,
    ]);
    expectError(await world.api('POST', '/openapi.json', {}), 405, 'method_not_allowed');
  });

  it('is the same at each start', () => {
    clock.use({ now: () => Date.now() + 86_400_000 });
    expect(JSON.stringify(described())).to.equal(JSON.stringify(client.document));
  });

  it('has the paths of the table of routes, no more and no less', () => {
    const described = Object.entries<Document>(client.document.paths).flatMap(([path, { servers: _, ...item }]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described).to.have.members([
      'GET /api/v1/code.schema.json',
      'GET /api/v1/openapi.json',
      ...ROUTES.map((route) => `${route.method} ${fullPath(route)}`),
    ]);
    expect(described).to.include.members(['GET /api/v1/links', 'POST /v1/sdk/open']);
  });

  it('says where apps ask, and that they do with another key', () => {
    const { publishableKey, secretKey } = client.document.components.securitySchemes;
    expect(publishableKey).to.include({ type: 'apiKey', in: 'header', name: 'X-SVC-Key' });
    expect(secretKey).to.include({ type: 'http', scheme: 'bearer' });
    expect(client.document.security).to.deep.equal([{ secretKey: [] }]);
    for (const route of ROUTES) {
      const isSdk = route.api === 'sdk';
      expect(client.document.paths[fullPath(route)], route.id).to.not.have.property('servers');
      expect(client.operation(route).security, route.id).to.deep.equal(isSdk ? [{ publishableKey: [] }] : undefined);
    }
  });

  it('names the second origin of apps where there is one', () => {
    config.sdkUrl = 'https://sdk.example.com';
    try {
      const { paths } = described();
      const urls = (path: string) => paths[path].servers?.map(({ url }: Document) => url);
      expect(urls('/v1/sdk/open')).to.deep.equal(['https://sdk.example.com', config.baseUrl]);
      expect(urls('/api/v1/links')).to.equal(undefined);
    } finally {
      config.sdkUrl = null;
    }
  });

  it('says once what many operations answer, and is small', () => {
    const seen = new Map<string, string>();
    for (const [path, item] of Object.entries<Document>(client.document.paths)) {
      for (const [method, { responses }] of Object.entries<Document>(item)) {
        for (const [status, response] of Object.entries<Document>(responses)) {
          const at = `${method} ${path} ${status}`;
          if (Number(status) >= 400) expect(response.$ref, at).to.match(/^#\/components\/responses\//);
          if (response.$ref) continue;
          const text = JSON.stringify(response);
          expect(seen.get(text), at).to.equal(undefined);
          seen.set(text, at);
        }
      }
    }
    // It was 8,100 for an operation when each wrote out its own refusals, and is 4,270.
    expect(JSON.stringify(client.document).length / ROUTES.length).to.be.below(4300);
  });

  it('asks no body of a change, which may be empty', () => {
    const changes = Object.entries<Document>(client.document.paths).filter(
      ([path, { patch }]) => patch && /\}$/.test(path),
    );
    expect(changes).to.have.length.above(3);
    for (const [path, { patch }] of changes) expect(patch.requestBody.required, path).to.equal(false);
  });

  it('has a pattern beside every format, and every format a rule', () => {
    const formats = new Set<string>();
    walk(client.document, (part) => {
      if (typeof part.format !== 'string') return;
      formats.add(part.format);
      expect(part.pattern, part.format).to.be.a('string');
      expect(() => new RegExp(part.pattern, 'u'), part.format).to.not.throw();
    });
    expect([...formats]).to.include.members(['slug', 'destination', 'date-time', 'uri', 'host', 'bundle_id']);
    expect(JSON.stringify(client.document)).to.not.include('x-name');
  });

  it('describes routing and apps alike in both directions', () => {
    const { Link, CreateLink, UpdateLink, Project, UpdateProject, Routing } = client.document.components.schemas;
    const reference = { oneOf: [{ $ref: '#/components/schemas/Routing' }, { type: 'null' }] };
    for (const type of [Link, CreateLink, UpdateLink]) expect(type.properties.routing).to.deep.include(reference);
    expect(client.resolve(Routing.properties.rules.items).properties).to.include.keys('name', 'when', 'destination');
    for (const type of [Project, UpdateProject]) {
      expect(type.properties.apps.items).to.deep.equal({ $ref: '#/components/schemas/App' });
    }
  });

  it('lists the fixed words of answers', () => {
    const { schemas } = client.document.components;
    const words = (type: string, field: string) => schemas[type].properties[field].enum;
    expect(words('Link', 'status')).to.deep.equal(['flagged', 'archived', 'scheduled', 'expired', 'active']);
    expect(words('Webhook', 'disabled_reason')).to.include.members(['manual', 'failures', null]);
    expect(words('CreatedWebhook', 'circuit')).to.deep.equal(['closed', 'open']);
    expect(words('Delivery', 'status')).to.deep.equal(['pending', 'succeeded', 'failed', 'cancelled']);
    expect(schemas.Key.properties.scopes.items.enum).to.include('links:read');
    const field = /^(status|kind|severity|circuit|method|platform|event_type|source_format|on_conflict|outcome)$/;
    for (const [name, { properties = {} }] of Object.entries<Document>(schemas)) {
      for (const [key, value] of Object.entries<Document>(properties)) {
        if (value.type === 'string' && field.test(key))
          expect(value.const ?? value.enum, `${name}.${key}`).to.not.equal(undefined);
      }
    }
  });

  it('lets apps send fields that it does not have, and nobody else', () => {
    const bodyOf = (route: (typeof ROUTES)[number]) =>
      client.resolve(client.operation(route).requestBody.content['application/json'].schema);
    for (const route of ROUTES.filter(({ document: text, takes }) => text.includes('$input') && takes !== 'csv')) {
      const isClosed = bodyOf(route).additionalProperties === false;
      expect(isClosed, route.id).to.equal(route.api !== 'sdk');
    }
    for (const name of ['Screen', 'AppEvent']) {
      expect(client.document.components.schemas[name].additionalProperties, name).to.not.equal(false);
    }
  });

  it('has every error code', () => {
    expect(
      client.resolve(client.document.components.schemas.Error.properties.error.properties.code).enum,
    ).to.have.members(Object.keys(ERROR_STATUS));
  });

  it('explains keys, errors, lists, limits, repeats and deprecation', () => {
    for (const heading of ['Keys', 'Errors', 'Pagination', 'Rate limits', 'Idempotency', 'Changes and deprecation']) {
      expect(client.document.info.description).to.include(`## ${heading}`);
    }
  });

  it('has a webhook for every event type', () => {
    expect(Object.keys(client.document.webhooks)).to.have.members([...TYPES, 'batch']);
    expect(client.document.components.schemas.Event.oneOf).to.have.length(TYPES.length);
  });

  it('describes batches: their example fits, and one without events does not', () => {
    const { post } = client.document.webhooks.batch;
    const { example } = post.requestBody.content['application/json'];
    const place = ['webhooks', 'batch', 'post', 'requestBody', 'content', 'application/json', 'schema'];
    expect(client.misfits(place, example)).to.deep.equal([]);
    for (const events of [[], [{ id: 'evt_1' }], undefined]) {
      expect(client.misfits(place, { ...example, events })).to.not.deep.equal([]);
    }
  });

  for (const type of TYPES) {
    it(`describes ${type}: its sample and its example fit`, () => {
      const { post } = client.document.webhooks[type];
      const body = post.requestBody.content['application/json'];
      const place = ['webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema'];
      expect(client.misfits(place, body.example)).to.deep.equal([]);
      expect(client.misfits(place, { ...body.example, data: sampleData(type) })).to.deep.equal([]);
      for (const field of Object.keys(body.example.data)) {
        const { [field]: _, ...data } = body.example.data;
        expect(client.misfits(place, { ...body.example, data }), field).to.not.deep.equal([]);
      }
      expect(client.misfits(['components', 'schemas', 'Event'], body.example)).to.deep.equal([]);
      const headers = post.parameters.map((parameter: Document) => client.resolve(parameter).name);
      expect(headers).to.include.members(['SVC-Signature', 'SVC-Event-Id', 'SVC-Delivery-Id', 'SVC-Attempt']);
      const { data } = client.resolve(body.schema).properties;
      if (data.properties.link && type.startsWith('link.') && type !== 'link.clicked') {
        expect(data.properties.link.$ref).to.equal('#/components/schemas/Link');
      }
    });
  }

  it('describes bodies with the rules that are enforced', () => {
    const { schemas } = client.document.components;
    const create = schemas.CreateLink;
    expect(create.required).to.deep.equal(['destination']);
    expect(create.additionalProperties).to.equal(false);
    expect(create.properties.slug).to.include({ type: 'string', maxLength: 190 });
    expect(create.properties.match_window_seconds).to.deep.include({ minimum: 60, maximum: 86_400 });
    expect(create.properties).to.not.have.property('project_id');
    const list = client.document.paths['/api/v1/links'].get.parameters.map(client.resolve);
    const limit = list.find(({ name }: { name: string }) => name === 'limit');
    expect(limit.schema).to.deep.include({ type: 'integer', minimum: 1, maximum: 100 });
  });

  it('describes rows of lists as what they are', () => {
    expect(JSON.stringify(client.document)).to.not.include('x-input');
    const { schemas } = client.document.components;
    expect(schemas.BulkCreateLinks.properties.links).to.deep.include({
      items: { $ref: '#/components/schemas/CreateLink' },
      maxItems: 1000,
    });
    expect(JSON.stringify(schemas.BulkUpdateLinks.properties.set)).to.contain('#/components/schemas/UpdateLink');
  });
});

function described(): Document {
  const schema = buildGraphqlSchema();
  return describeApi(
    ROUTES.map((route) => compileRoute(route, schema)),
    schema,
  );
}

/** Calls `visit` for every object of the document that is no example. */
function walk(part: Document, visit: (part: Document) => void): void {
  if (part === null || typeof part !== 'object') return;
  visit(part);
  for (const [key, inner] of Object.entries(part)) if (!/^(examples?|default|enum)$/.test(key)) walk(inner, visit);
}
