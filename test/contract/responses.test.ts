import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import type { Route } from '../../facade/Route.ts';
import { ROUTES } from '../../facade/routes/index.ts';
import type { Reply } from '../support/api.ts';
import { callRoute, makeThings } from '../support/operations.ts';
import { firstTenant, makeTenant } from '../support/tenants.ts';
import { startWorld, type World } from '../support/world.ts';

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

describe('every answer fits its own schema in the document', () => {
  let world: World;
  let teamId: string;

  before(async () => {
    world = await startWorld();
    teamId = (await firstTenant(world)).teamId;
  });
  after(() => world.stop());

  for (const route of ROUTES) {
    it(`${route.method} ${route.path}`, async () => {
      const tenant = await makeTenant(world, teamId);
      const ids = await makeThings(tenant);
      const reply = await callRoute(route, tenant.api, ids);
      expect(reply.status).to.equal(route.status);
      if (route.status === 204) return expect(reply.body).to.equal(undefined);
      expect(await misfits(route, reply)).to.deep.equal([]);
    });
  }

  it('and so do links, projects and webhooks with every field set', async () => {
    const tenant = await makeTenant(world, teamId);
    const ids = await makeThings(tenant);
    for (const [id, body] of Object.entries(FULL)) {
      const route = ROUTES.find((row) => row.id === id) as Route;
      const reply = await callRoute(route, tenant.api, ids, { body });
      expect(reply.status, JSON.stringify(reply.body)).to.equal(route.status);
      expect(await misfits(route, reply)).to.deep.equal([]);
    }
  });

  const misfits = async (route: Route, reply: Reply) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    ajv.addSchema({ ...(await world.api('GET', '/openapi.json')).body, $id: 'api' });
    const pointer = `/paths/${route.path.replaceAll('/', '~1')}/${route.method.toLowerCase()}/responses/${route.status}`;
    const check = ajv.compile({
      $ref: `api#${encodeURI(pointer)}/content/application~1json/schema`,
    });
    check(reply.body);
    return check.errors ?? [];
  };
});
