// stores: any
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { clock } from '../../../src/kernel/clock.ts';
import type { Api } from '../../support/api.ts';
import { createLink, type MadeLink } from '../../support/createLink.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import { expectMatch, sdkWith, startSdkWorld } from '../../support/sdk.ts';
import { firstTenant, makeKey, ownerSession, type Tenant } from '../../support/tenants.ts';
import type { World } from '../../support/world.ts';

const GO = 'go.example.com';
const SDK_HOST = 'sdk.example.com';
const ORIGIN = { Origin: 'https://shop.example.com' };
const install_id = '6F1C1B3E-3c3f-4a39-9d0c-0d9e5b7f2a11';
/** A body that each path takes. */
const BODIES: Record<string, object> = {
  '/open': { install_id, first_open: false, platform: 'ios' },
  '/resolve': { url: 'https://go.example.com/nothing' },
  '/event': { install_id, name: 'purchase' },
};
const PATHS = Object.keys(BODIES);

describe('requests to the endpoints for apps', () => {
  let world: World;
  let mine: Tenant;
  let session: string;
  let app: Api;
  let link: MadeLink;

  before(async () => {
    world = await startSdkWorld({ LINK_DOMAIN: GO, SDK_URL: `http://${SDK_HOST}` });
    mine = await firstTenant(world);
    session = await ownerSession(world);
    app = await mine.sdk();
    link = await createLink(mine.api, { destination: 'https://www.example.com/', slug: 'spring' });
  });
  after(() => world.stop());
  afterEach(() => clock.reset());

  const everywhere = async (key: string | null, headers = {}) => {
    const replies = [];
    for (const path of PATHS) replies.push(await app.as(key)('POST', path, BODIES[path], { headers }));
    return replies;
  };
  const revoke = (id: string) => graphql(world.origin, 'mutation ($id: ID!) { revokeKey(id: $id) }', { id }, session);

  describe('keys', () => {
    it('401 missing_key without one, also when it is sent as servers do', async () => {
      const bearer = { Authorization: `Bearer ${world.publishableKey}` };
      for (const headers of [{}, { 'X-SVC-Key': '' }, { 'X-SVC-Key': '  ' }, bearer]) {
        for (const reply of await everywhere(null, headers)) expectError(reply, 401, 'missing_key');
      }
    });

    it('401 invalid_key for one that is unknown', async () => {
      const { publishableKey } = world;
      const keys = [`pk_live_${'x'.repeat(32)}`, publishableKey.slice(0, -1), publishableKey.toUpperCase(), 'x', '%00'];
      for (const key of keys) for (const reply of await everywhere(key)) expectError(reply, 401, 'invalid_key');
    });

    it('403 secret_key_refused for a secret one, which is unknown once it is revoked', async () => {
      const { key, id } = await makeKey(world, session, { projectId: mine.projectId, scopes: ['*'] });
      for (const reply of await everywhere(key)) {
        expectError(reply, 403, 'secret_key_refused');
        expect(reply.body.error.message).to.include('pk_live_');
      }
      await revoke(id);
      for (const reply of await everywhere(key)) expectError(reply, 401, 'invalid_key');
    });

    it('401 invalid_key for a publishable one that was revoked or has expired', async () => {
      const end = Date.now() + 60_000;
      const input = { projectId: mine.projectId, kind: 'publishable', expiresAt: new Date(end).toISOString() } as const;
      const { key, id } = await makeKey(world, session, input);
      for (const { status } of await everywhere(key)) expect(status).to.be.within(200, 202);
      clock.use({ now: () => end });
      for (const reply of await everywhere(key)) expectError(reply, 401, 'invalid_key');
      clock.reset();
      await revoke(id);
      for (const reply of await everywhere(key)) expectError(reply, 401, 'invalid_key');
    });

    it('a publishable one is good beside whatever else a proxy adds', async () => {
      for (const { status } of await everywhere(world.publishableKey, { Authorization: 'Basic eDp5' })) {
        expect(status).to.be.within(200, 202);
      }
    });
  });

  it('405 for other methods, with Allow, before anything about the key', async () => {
    for (const path of PATHS) {
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const { status, headers } = await app.as(null)(method, path);
        expect([status, headers.get('allow')], `${method} ${path}`).to.deep.equal([405, 'POST']);
      }
    }
  });

  it('404 for other paths', async () => {
    const paths = ['', '/', '/nothing', '/open/x', '/Open', '/openapi.json', '/links', '//open', '/open%2F', '/%00'];
    for (const path of paths) {
      for (const api of [app, app.as(null)]) expectError(await api('POST', path, BODIES['/open']), 404, 'not_found');
    }
    expectError(await app('POST', '/../sdkx/open', BODIES['/open']), 404, 'not_found');
    expectError(await mine.api('POST', '/open', BODIES['/open']), 404, 'not_found');
    expect((await app('POST', '/open/', BODIES['/open'])).status).to.equal(200);
  });

  it('415, 400 and 413 for bodies that cannot be read; 64 KiB can', async () => {
    for (const path of PATHS) {
      const send = (raw: string, type = 'application/json') =>
        app('POST', path, undefined, { raw, headers: { 'Content-Type': type } });
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', '', 'application/json; charset=latin1']) {
        expectError(await send(JSON.stringify(BODIES[path]), type), 415, 'unsupported_media_type');
      }
      for (const raw of ['', '{', '[]', 'null', '"x"', '\u0000']) expectError(await send(raw), 400, 'invalid_json');
      const whole = (bytes: number) => {
        const empty = JSON.stringify({ ...BODIES[path], pad: '' });
        return JSON.stringify({ ...BODIES[path], pad: 'x'.repeat(bytes - empty.length) });
      };
      expect((await send(whole(64 * 1024))).status).to.be.within(200, 202);
      expectError(await send(whole(64 * 1024 + 1)), 413, 'payload_too_large');
    }
  });

  it('422 that lists every bad field', async () => {
    const long = 'x'.repeat(129);
    const screen = { width: -1, height: 1e6, scale: 'x' };
    const times = { referrer_click_at: 1, install_begin_at: '2026-02-30T00:00:00Z' };
    const texts = { app_version: long, os_version: long, device_model: long, language: long, timezone: long };
    const open = { install_id: 'x', first_open: 1, platform: 'windows', ...texts, screen, ...times, consent: 'no' };
    const { screen: _, ...flat } = open;
    const sides = ['width', 'height', 'scale'].map((side) => `screen.${side}`);
    const more = { url: 'x'.repeat(8193), install_referrer: 'x'.repeat(8193), clipboard: 'x'.repeat(40_961) };
    const told = await app('POST', '/open', { ...open, ...more });
    expectInvalid(told, ...Object.keys(flat), ...sides, ...Object.keys(more));
    expectInvalid(await app('POST', '/open', {}), 'install_id', 'first_open', 'platform');
    expectInvalid(await app('POST', '/open', { ...BODIES['/open'], clipboard: 'a\u0000' }), 'clipboard');

    for (const body of [{}, { url: null }, { url: '' }, { url: 5 }]) {
      expectInvalid(await app('POST', '/resolve', body), 'url');
    }
    const event = { id: '', name: 5, occurred_at: 'now', value: '1', currency: 'EURO', properties: [] };
    const ofEvent = Object.keys(event);
    expectInvalid(await app('POST', '/event', { install_id: 1, ...event }), 'install_id', ...ofEvent);
    const events = [{ name: 'good' }, event, {}, 'x', null];
    const listed = [...ofEvent.map((field) => `events.1.${field}`), 'events.2.name', 'events.3', 'events.4'];
    expectInvalid(await app('POST', '/event', { install_id: 'x', events }), 'install_id', ...listed);
    expectInvalid(await app('POST', '/event', { install_id: 'x' }), 'install_id', 'name');
    expectInvalid(await app('POST', '/event', { install_id: 'x', events: [] }), 'install_id', 'events');
  });

  it('takes a UUID in any case for the same install, and nothing else', async () => {
    const sdk = sdkWith(app);
    const opens = [install_id, install_id.toLowerCase(), install_id.toUpperCase()].map((id) =>
      sdk.open({ install_id: id }),
    );
    const ids = (await Promise.all(opens)).map(({ body }) => body.open_id);
    expect(new Set(ids).size).to.equal(1);
    for (const id of [
      '',
      'ins_01kb1fm3s3e6rb7s2n9j0c4q7x',
      `{${install_id}}`,
      install_id.replaceAll('-', ''),
      null,
      1,
    ]) {
      expectInvalid(await sdk.open({ install_id: id }), 'install_id');
    }
  });

  it('passes over what it does not know, at every level', async () => {
    const unknown = {
      unheard_of: [1],
      project_id: 'prj_x',
      constructor: 'x',
      ...JSON.parse('{"__proto__": {"a": 1}}'),
    };
    const sdk = sdkWith(app);
    const screen = { width: 393, height: 852, scale: 3, depth: 24, ...unknown };
    const open = await sdk.open({ ...unknown, screen, url: `http://${GO}/spring` });
    expectMatch(open, 'link', link);
    const resolved = await app('POST', '/resolve?a=1&limit=0&a=2', { ...unknown, url: `http://${GO}/spring` });
    expect(resolved.body.link.id).to.equal(link.id);
    const events = [{ ...unknown, name: 'a', properties: unknown }];
    const told = await sdk.event({ ...unknown, events });
    expect([told.status, told.body]).to.deep.equal([202, { accepted: 1, duplicates: 0 }]);
  });

  it('answers browsers of every origin, errors too', async () => {
    const refused = { headers: { ...ORIGIN, 'Content-Type': 'text/plain' }, raw: '{}' };
    const replies = [
      await app('POST', '/open', BODIES['/open'], { headers: ORIGIN }),
      await app('POST', '/open', BODIES['/open']),
      await app.as(null)('POST', '/open', BODIES['/open'], { headers: ORIGIN }),
      await app.as(world.secretKey)('POST', '/event', BODIES['/event'], { headers: ORIGIN }),
      await app('POST', '/event', undefined, refused),
      await app('POST', '/resolve', {}, { headers: ORIGIN }),
      await app('GET', '/open', undefined, { headers: ORIGIN }),
      await app('POST', '/nothing', {}, { headers: ORIGIN }),
    ];
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 401, 403, 415, 422, 405, 404]);
    for (const { headers } of replies) {
      expect(headers.get('access-control-allow-origin')).to.equal('*');
      expect(headers.get('access-control-allow-credentials')).to.equal(null);
      const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(/, */);
      expect(exposed).to.include.members(['retry-after', 'x-request-id', 'ratelimit-remaining']);
    }
  });

  it('204 to a preflight, which has no key', async () => {
    const asking = {
      ...ORIGIN,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type,x-svc-key',
    };
    for (const path of PATHS) {
      const { status, headers } = await app.as(null)('OPTIONS', path, undefined, { headers: asking });
      expect([status, headers.get('access-control-allow-origin')]).to.deep.equal([204, '*']);
      expect(headers.get('access-control-allow-methods')).to.equal('POST');
      const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(/, */);
      expect(allowed).to.have.members(['x-svc-key', 'content-type']);
    }
  });

  it('gives every answer an X-Request-Id, the one of the caller if it is sane', async () => {
    for (const key of [world.publishableKey, null]) {
      const named = { headers: { 'X-Request-Id': 'my-Request_1' } };
      const echoed = await app.as(key)('POST', '/open', BODIES['/open'], named);
      expect(echoed.headers.get('x-request-id')).to.equal('my-Request_1');
      const own = await app.as(key)('POST', '/open', BODIES['/open']);
      expect(own.headers.get('x-request-id')).to.match(/^\S+$/);
    }
  });

  it('answers on the base host and on that of SDK_URL, where nothing else does', async () => {
    const ask = (path: string, host: string | undefined, method = 'POST') => {
      const body = JSON.stringify(BODIES['/open']);
      const headers = { 'Content-Type': 'application/json', 'X-SVC-Key': world.publishableKey, ...ORIGIN };
      return rawRequest(world.origin, path, { method, headers, body, ...(host ? { host } : {}) });
    };
    for (const host of [undefined, SDK_HOST, `${SDK_HOST}:80`, SDK_HOST.toUpperCase(), `${SDK_HOST}.`]) {
      const { status, headers } = await ask('/v1/sdk/open', host);
      expect([status, headers['access-control-allow-origin']], host).to.deep.equal([200, '*']);
    }
    for (const host of [GO, 'other.example.com', `${SDK_HOST}:8080`, `x.${SDK_HOST}`]) {
      expect((await ask('/v1/sdk/open', host)).status, host).to.equal(404);
    }
    const others = [
      '/',
      '/spring',
      '/api/v1/openapi.json',
      '/api/v1/team',
      '/graphql',
      '/app',
      '/_open',
      '/v1',
      '/v1/x',
    ];
    for (const path of others) {
      for (const method of ['GET', 'POST']) {
        expect((await ask(path, SDK_HOST, method)).status, `${method} ${path}`).to.equal(404);
      }
    }
  });

  it('is for keys of apps alone: nobody else records an opening by another door', async () => {
    const open = 'mutation ($input: RecordOpenInput!) { recordOpen(input: $input) { openId } }';
    const input = { installId: randomUUID(), firstOpen: true, platform: 'ios' };
    for (const cookie of [undefined, session]) {
      const { data, errors } = await graphql(world.origin, open, { input }, cookie);
      expect([data?.recordOpen ?? null, errors?.length]).to.deep.equal([null, 1]);
    }
  });
});
