// stores: any
import { expect } from 'chai';
import { REQUEST_EXAMPLES } from '../../../facade/openapi/examples.ts';
import { ROUTES } from '../../../facade/routes/index.ts';
import type { Route } from '../../../facade/routes/Route.ts';
import { SCOPES, type Scope } from '../../../src/access/scopes.ts';
import type { Reply } from '../../support/api.ts';
import { answerPlace, type ClientDocument, readDocument } from '../../support/clientDocument.ts';
import { apiWith, callRoute, hasBody, makeThings, pathOf, type Things } from '../../support/operations.ts';
import { firstTenant, makeKey, makeTenant, ownerSession, type Tenant } from '../../support/tenants.ts';
import { useOwnWorld } from '../../support/world.ts';

const ROUTING = {
  rules: [
    { name: 'phones', when: { platform: ['ios'], not: { country: ['DE'] } }, destination: 'https://m.example.com' },
  ],
  split: [
    { name: 'a', destination: 'https://a.example.com', weight: 1 },
    { destination: 'https://b.example.com', weight: 2 },
  ],
  open_app: true,
  ios: { deep_link_path: '/p/42', fallback: 'store' },
};

const FULL: Record<string, unknown> = {
  updateProject: {
    name: 'All',
    match_window_seconds: 60,
    probabilistic_matching: false,
    apps: [
      { platform: 'ios', bundle_id: 'com.example.app', team_id: 'ABCDE12345' },
      { platform: 'android', package: 'com.example.app', sha256_fingerprints: [], scheme: 'myapp' },
    ],
  },
  updateLink: {
    slug: 'all/of-it',
    destination: 'https://www.example.com/all',
    routing: ROUTING,
    data: { deep: { list: [1, null] } },
    tags: ['b', 'A'],
    external_id: 'two',
    title: 'All',
    notes: 'Notes',
    utm: { source: 'a' },
    preview: { title: 'T' },
    starts_at: '2020-01-01T00:00:00Z',
    expires_at: '2090-01-01T00:00:00Z',
    expired_destination: 'https://www.example.com/late',
    click_limit: 5,
    match_window_seconds: 60,
    archived: true,
  },
  updateWebhook: { description: 'All', event_types: ['link.created'], include_bots: true, scope: null },
};

/** Examples that tests cannot send as they are: nobody listens there. */
const LOOPBACK: Record<string, object> = { createWebhook: { url: 'http://127.0.0.1:9999/hook' } };

describe('every answer fits its own schema in the document', () => {
  // Others send the slug of the example, too.
  const world = useOwnWorld();
  let mine: Tenant;
  let things: Things;
  let client: ClientDocument;
  /** Has one scope less than it needs, by that scope. */
  const lacking = new Map<Scope, string>();

  before(async () => {
    mine = await firstTenant(world);
    things = await makeThings(mine);
    client = await readDocument(world);
    const session = await ownerSession(world);
    for (const scope of new Set(ROUTES.map((route) => route.scope))) {
      if (!scope) continue;
      const scopes = SCOPES.filter((other) => other !== scope);
      lacking.set(scope, (await makeKey(world, session, { projectId: mine.projectId, scopes })).key);
    }
  });

  for (const route of ROUTES) {
    describe(`${route.method} ${route.path}`, () => {
      it('when it succeeds, also with the example of its body', async () => {
        const tenant = await makeTenant(world, mine.teamId);
        const ids = await makeThings(tenant);
        const example = REQUEST_EXAMPLES[route.id] && { ...REQUEST_EXAMPLES[route.id], ...LOOPBACK[route.id] };
        for (const options of example ? [{}, { body: example }] : [{}]) {
          const reply = await callRoute(route, await apiWith(route, tenant), ids, options);
          expect(reply.status, JSON.stringify(reply.body)).to.be.oneOf(successOf(route));
          expectDocumented(route, reply);
        }
      });

      it('when it is refused', async () => {
        const api = await apiWith(route, mine);
        const ofOtherKind = route.api === 'sdk' ? world.secretKey : world.publishableKey;
        const refusals = [
          await callRoute(route, api.as(null), things),
          await callRoute(route, api.as('sk_live_unknown'), things),
          await callRoute(route, api.as(ofOtherKind), things),
          await callRoute(route, api.as(route.scope && (lacking.get(route.scope) ?? null)), things),
          await api(route.method, `${route.path.replace(/\{\w+\}/, 'nothing')}?unheard_of=1`, undefined),
          await api(route.method, pathOf(route, NOTHING), REQUEST_EXAMPLES[route.id]),
          ...(hasBody(route) ? [await callRoute(route, api, things, { raw: '{' })] : []),
        ];
        for (const reply of refusals) expectDocumented(route, reply);
        expect(refusals.map(({ status }) => status)).to.include.members([
          401,
          403,
          ...(route.path.includes('{id}') ? [404] : []),
        ]);
      });
    });
  }

  it('when links, projects and webhooks have every field set', async () => {
    const tenant = await makeTenant(world, mine.teamId);
    const ids = await makeThings(tenant);
    for (const [id, body] of Object.entries(FULL)) {
      const route = ROUTES.find((row) => row.id === id) as Route;
      const reply = await callRoute(route, tenant.api, ids, { body });
      expect(reply.status, JSON.stringify(reply.body)).to.equal(route.status);
      expectDocumented(route, reply);
    }
    const events = ROUTES.find((row) => row.id === 'listEvents') as Route;
    const told = await callRoute(events, tenant.api, ids);
    const types = told.body.data.map(({ type }: { type: string }) => type);
    expect(types).to.include.members(['link.created', 'link.updated', 'link.archived']);
    expectDocumented(events, told);
  });

  /** That the status, the headers, the code and the body of a reply are in the document. */
  function expectDocumented(route: Route, reply: Reply): void {
    const described = client.operation(route).responses[String(reply.status)];
    expect(described, `${reply.status} ${JSON.stringify(reply.body)}`).to.be.an('object');
    for (const name of Object.keys(described.headers).filter((header) => /^RateLimit|^X-Request/.test(header))) {
      expect(reply.headers.get(name), name).to.be.a('string');
    }
    if (!described.content) return void expect(reply.body).to.equal(undefined);
    const [mediaType] = (reply.headers.get('content-type') ?? '').split(';');
    expect(described.content).to.have.property(mediaType as string);
    if (mediaType !== 'application/json') return;
    expect(client.misfits(answerPlace(route, reply.status), reply.body)).to.deep.equal([]);
    if (reply.status < 400) return;
    expect(Object.keys(described.content[mediaType].examples)).to.include(reply.body.error.code);
  }
});

/** Ids of nothing. */
const NOTHING = new Proxy({} as Things, { get: () => 'nothing' });

function successOf(route: Route): number[] {
  return route.answer === 'upsert' ? [200, 201] : [route.status];
}
