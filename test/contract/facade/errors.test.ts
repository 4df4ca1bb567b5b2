// stores: any
import { expect } from 'chai';
import { ROUTES } from '../../../facade/routes/index.ts';
import type { Route } from '../../../facade/routes/Route.ts';
import { SCOPES } from '../../../src/access/scopes.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Team } from '../../../src/models/Team.ts';
import type { Api, Reply } from '../../support/api.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { apiWith, bodyOf, callRoute, hasBody, makeThings, pathOf, type Things } from '../../support/operations.ts';
import { firstTenant, makeKey, makeTenant, ownerSession, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

/** Those that name a thing: an upsert makes what its path names. */
const withId = ROUTES.filter((route) => route.path.includes('{') && route.answer !== 'upsert');

const limitOf = ({ bodyLimit }: Route) => bodyLimit ?? 256 * 1024;

/** One route for each limit of each API is sent megabytes too many: all others are read by the same code. */
const takesFarTooLarge = (route: Route) =>
  route === bodied.find((other) => other.api === route.api && limitOf(other) === limitOf(route));
const bodied = ROUTES.filter((route) => hasBody(route) && route.takes !== 'csv');

describe('errors of every operation', () => {
  const world = useWorld();
  let mine: Tenant;
  let session: string;
  let things: Things;

  before(async () => {
    mine = await firstTenant(world);
    session = await ownerSession(world);
    things = await makeThings(mine);
  });
  afterEach(() => clock.reset());

  const call = (
    route: Route,
    api: Api,
    { ids = things, ...options }: Parameters<typeof callRoute>[3] & { ids?: Things } = {},
  ) => callRoute(route, api, ids, options);

  for (const route of ROUTES) {
    const isSdk = route.api === 'sdk';
    describe(`${route.method} ${isSdk ? '/v1/sdk' : ''}${route.path}`, () => {
      let api: Api;
      before(async () => {
        api = await apiWith(route, mine);
      });

      it('401 missing_key without a key', async () => {
        const reply = await call(route, api.as(null));
        expectError(reply, 401, 'missing_key');
        expect(reply.headers.get('www-authenticate')).to.equal('Bearer');
      });

      it('401 invalid_key for an unknown key', async () => {
        for (const kind of ['sk', 'pk']) {
          expectError(await call(route, api.as(`${kind}_live_${'x'.repeat(32)}`)), 401, 'invalid_key');
        }
      });

      if (isSdk) {
        it('403 secret_key_refused for a key of a server', async () => {
          expectError(await call(route, api.as(world.secretKey)), 403, 'secret_key_refused');
        });

        it('passes over query parameters and body fields that it does not know', async () => {
          const body = { ...bodyOf(route), unheard_of: 1, project_id: mine.projectId };
          const reply = await api(route.method, `${route.path}?unheard_of=1&limit=0`, body);
          expect(reply.status, JSON.stringify(reply.body)).to.equal(route.status);
        });
      } else {
        it('403 publishable_key_refused for a key of an app', async () => {
          expectError(await call(route, api.as(world.publishableKey)), 403, 'publishable_key_refused');
        });

        it('403 insufficient_scope that names the scope', async () => {
          // What any key may ask.
          if (route.scope === null) return;
          const scopes = SCOPES.filter((scope) => scope !== route.scope);
          const { key } = await makeKey(world, session, { projectId: mine.projectId, scopes });
          const reply = await call(route, api.as(key), { body: { unknown: 1 } });
          expectError(reply, 403, 'insufficient_scope');
          expect(reply.body.error.message).to.include(route.scope);
        });

        it('422 for an unknown query parameter, which is listed', async () => {
          const path = pathOf(route, things);
          const query = `${path.includes('?') ? '&' : '?'}unheard_of=1`;
          const csv = { raw: 'destination\n', headers: { 'Content-Type': 'text/csv' } };
          const isCsv = route.takes === 'csv';
          const reply = await api(route.method, path + query, isCsv ? undefined : bodyOf(route), isCsv ? csv : {});
          expectInvalid(reply, 'unheard_of');
        });
      }

      if (hasBody(route) && route.takes !== 'csv') {
        if (!isSdk) {
          it('422 for unknown body fields, all of which are listed', async () => {
            const body = { ...bodyOf(route), unheard_of: 1, project_id: mine.projectId };
            expectInvalid(await call(route, api, { body }), 'unheard_of', 'project_id');
          });
        }

        it('415 for another media type, 400 for what is no JSON', async () => {
          const raw = '{"a": ';
          const text = await call(route, api, { raw, headers: { 'Content-Type': 'text/plain' } });
          expectError(text, 415, 'unsupported_media_type');
          expectError(await call(route, api, { raw }), 400, 'invalid_json');
        });

        it('413 for more than it takes, and the connection goes on', async () => {
          const sizes = [limitOf(route) + 1, ...(takesFarTooLarge(route) ? [11 * 1024 * 1024] : [])];
          for (const size of sizes) {
            const raw = JSON.stringify({ title: 'x'.repeat(size - 12) });
            expectError(await call(route, api, { raw }), 413, 'payload_too_large');
            expect((await mine.api('GET', '/team')).status).to.equal(200);
          }
        });
      }

      it('405 for other methods, with Allow', async () => {
        const reply = await api('PURGE', pathOf(route, things));
        expectError(reply, 405, 'method_not_allowed');
        const allowed = reply.headers.get('allow');
        expect(allowed?.split(', ')).to.include(route.method);
        expect(reply.body.error.message).to.include(allowed);
      });
    });
  }

  for (const route of withId) {
    it(`404 in the same words for ids of others and of nothing: ${route.method} ${route.path}`, async () => {
      const nothing = {
        links: newId('lnk'),
        projects: newId('prj'),
        webhooks: newId('whk'),
        deliveries: newId('dlv'),
        domains: newId('dom'),
        tags: newId('tag'),
        keys: newId('key'),
        alerts: newId('alt'),
        imports: newId('imp'),
        installs: newId('ins'),
      };
      const neighbours = await makeThings(await makeTenant(world, mine.teamId));
      const strangers = await makeThings(await makeTenant(world));
      const [unknown, ...foreign] = await Promise.all(
        [nothing, neighbours, strangers].map((ids) => call(route, mine.api, { ids })),
      );
      expectError(unknown as Reply, 404, 'not_found');
      for (const reply of foreign) expect(anonymous(reply)).to.deep.equal(anonymous(unknown as Reply));
    });

    it(`404 for an id that is none: ${route.method} ${route.path}`, async () => {
      for (const id of [
        'x',
        'lnk_',
        'lnk_zzzzzzzzzzzzzzzzzzzzzzzzzz',
        'ext_',
        'ext_unheard%20of',
        '%00',
        '%F0',
        '..%2f',
      ]) {
        const ids = Object.fromEntries(Object.keys(things).map((name) => [name, id])) as unknown as Things;
        expectError(await call(route, mine.api, { ids }), 404, 'not_found');
      }
    });
  }

  describe('in a team that is read-only', () => {
    let tenant: Tenant;
    let ids: Things;

    before(async () => {
      tenant = await makeTenant(world);
      ids = await makeThings(tenant);
      const where = { id: tenant.teamId };
      const values = { status: 'read_only', readOnlyReason: 'a move' };
      await inTransaction((transaction) => Team.update(values, { where, transaction }));
    });

    for (const route of ROUTES) {
      if (!route.scope?.endsWith(':write')) {
        it(`${route.method} ${route.path} goes on`, async () => {
          expect((await call(route, await apiWith(route, tenant), { ids })).status).to.equal(route.status);
        });
        continue;
      }
      it(`403 team_read_only: ${route.method} ${route.path}`, async () => {
        expectError(await call(route, tenant.api, { ids }), 403, 'team_read_only');
      });
    }
  });

  it('401 invalid_key for a key that is revoked or expired', async () => {
    const end = Date.now() + 60_000;
    const expiring = await makeKey(world, session, {
      projectId: mine.projectId,
      expiresAt: new Date(end).toISOString(),
    });
    expect((await world.api.as(expiring.key)('GET', '/links')).status).to.equal(200);
    clock.use({ now: () => end });
    expectError(await world.api.as(expiring.key)('GET', '/links'), 401, 'invalid_key');
    clock.reset();
    const { key, id } = await makeKey(world, session, { projectId: mine.projectId });
    expect((await world.api.as(key)('GET', '/links')).status).to.equal(200);
    await graphql(world.origin, 'mutation ($id: ID!) { revokeKey(id: $id) }', { id }, session);
    expectError(await world.api.as(key)('GET', '/links'), 401, 'invalid_key');
  });

  it('404 for a path that the API does not have', async () => {
    for (const path of ['', '/', '/nothing', '/links/a/b/c', '/webhooks/x/unheard_of']) {
      expectError(await mine.api('GET', path), 404, 'not_found');
    }
  });

  it('gives every answer an X-Request-Id, the one of the caller if it is sane', async () => {
    const own = (id: string) => mine.api('GET', '/team', undefined, { headers: { 'X-Request-Id': id } });
    expect((await own('my-Request_1.2:3')).headers.get('x-request-id')).to.equal('my-Request_1.2:3');
    for (const id of ['with space', '<b>', 'x'.repeat(129), 'ü', '']) {
      const given = (await own(id)).headers.get('x-request-id');
      expect(given).to.match(/^\S+$/).and.not.equal(id);
    }
    const first = (await mine.api('GET', '/openapi.json')).headers.get('x-request-id');
    expect(first).to.not.equal((await mine.api('GET', '/openapi.json')).headers.get('x-request-id'));
    const refused = await mine.api('GET', '/nothing', undefined, { headers: { 'X-Request-Id': 'abc' } });
    expect(refused.body.error.request_id).to.equal('abc');
  });

  it('answers no origin of a browser', async () => {
    const headers = { Origin: 'https://evil.example.com' };
    const reply = await mine.api('GET', '/team', undefined, { headers });
    expect(reply.headers.get('access-control-allow-origin')).to.equal(null);
    const preflight = await world.api.as(null)('OPTIONS', '/links', undefined, { headers });
    expect(preflight.status).to.equal(405);
    expect(preflight.headers.get('access-control-allow-origin')).to.equal(null);
  });

  it('decides errors in the order of the contract', async () => {
    const { key } = await makeKey(world, session, { projectId: mine.projectId, scopes: ['links:read'] });
    const bad = { raw: '{', headers: { 'Content-Type': 'text/plain' } };
    const id = newId('lnk');
    expectError(await world.api.as(null)('PATCH', '/links/%00', undefined, bad), 401, 'missing_key');
    expectError(await world.api.as(key)('PATCH', `/links/${id}`, undefined, bad), 403, 'insufficient_scope');
    expectError(await mine.api('PATCH', `/links/${id}`, undefined, bad), 415, 'unsupported_media_type');
    const big = { raw: '{'.repeat(300 * 1024) };
    expectError(await mine.api('PATCH', `/links/${id}`, undefined, big), 413, 'payload_too_large');
    expectError(await mine.api('PATCH', `/links/${id}`, undefined, { raw: '{' }), 400, 'invalid_json');
    expectError(await mine.api('PATCH', `/links/${id}`, { title: 1 }), 422, 'validation_failed');
    expectError(await mine.api('PATCH', `/links/${id}`, { title: 'x' }), 404, 'not_found');
  });
});

/** The answer without what differs from request to request. */
function anonymous({ status, body }: Reply): unknown {
  return { status, body: { ...body, error: { ...body.error, request_id: null } } };
}
