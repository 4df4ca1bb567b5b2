// stores: any
import { expect } from 'chai';
import pg from 'pg';
import { SCOPES } from '../../../src/access/scopes.ts';
import { CHANNEL } from '../../../src/db/announce.ts';
import { database, dialect } from '../../../src/db/connection/database.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock, now } from '../../../src/kernel/clock.ts';
import { config } from '../../../src/kernel/config.ts';
import { ApiKey } from '../../../src/models/ApiKey.ts';
import type { Api, Reply } from '../../support/api.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { makeTenant, ownerSession, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { walk } from '../../support/walk.ts';
import { useWorld } from '../../support/world.ts';

describe('keys', () => {
  const world = useWorld();
  let mine: Tenant;
  let api: Api;
  beforeEach(async () => {
    mine = await makeTenant(world);
    api = mine.api;
  });
  afterEach(() => clock.reset());

  const create = async (body: object = {}, caller = api) => {
    const reply = await caller('POST', '/keys', { name: 'Made', ...body });
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201);
    return reply.body;
  };
  const roll = async (id: string, body: object | undefined, caller = api) => {
    const reply = await caller('POST', `/keys/${id}/roll`, body);
    expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
    return reply.body;
  };
  const find = async (id: string) => (await walk(api, '/keys')).find((row) => row.id === id);
  const use = (key: string): Promise<Reply> => api.as(key)('GET', '/team');
  const secondsAhead = (seconds: number) => new Date(clock.now() + seconds * 1000).toISOString();

  describe('creation', () => {
    it('gives every field with its default, and the key', async () => {
      const { id, key, created_at, updated_at, ...others } = await create();
      expect(id).to.match(/^key_/);
      expect(key).to.match(/^sk_live_[\w-]{32}$/);
      expect(updated_at).to.equal(created_at);
      expect(others).to.deep.equal({
        project_id: mine.projectId,
        name: 'Made',
        kind: 'secret',
        scopes: [...SCOPES],
        last_four: key.slice(-4),
        last_used_at: null,
        expires_at: null,
        revoked_at: null,
      });
      expect((await use(key)).status).to.equal(200);
    });

    it('shows a secret key there and nowhere else, a publishable one always', async () => {
      const secret = await create();
      const publishable = await create({ kind: 'publishable' });
      expect(publishable.key).to.match(/^pk_live_[\w-]{32}$/);
      expect(publishable.scopes).to.deep.equal([]);
      const rows = await walk(api, '/keys');
      expect(rows.slice(0, 2)).to.deep.equal([publishable, { ...secret, key: null }]);
      expect(JSON.stringify(rows)).to.not.include('sk_live_');
      const stored = await ApiKey.findByPk(secret.id, { raw: true });
      expect(JSON.stringify(stored)).to.not.include(secret.key);
    });

    it('writes * and *:read out', async () => {
      const read = SCOPES.filter((scope) => scope.endsWith(':read'));
      const table: [string[], readonly string[]][] = [
        [['*'], SCOPES],
        [['*:read'], read],
        [['links:write', '*:read'], SCOPES.filter((scope) => read.includes(scope) || scope === 'links:write')],
        [
          ['tags:write', 'links:read'],
          ['links:read', 'tags:write'],
        ],
      ];
      for (const [scopes, written] of table) expect((await create({ scopes })).scopes).to.deep.equal(written);
    });

    it('422 that lists every bad field, an end in the past too', async () => {
      const past = secondsAhead(-1);
      expectInvalid(await api('POST', '/keys', { name: 'x', expires_at: past }), 'expires_at');
      const bad = { name: '', kind: 'private', scopes: ['links:eat'], expires_at: past, project_id: mine.projectId };
      expectInvalid(await api('POST', '/keys', bad), 'name', 'kind', 'scopes.0', 'expires_at', 'project_id');
      for (const scopes of [[], ['*', '*'], '*', null]) {
        expectInvalid(await api('POST', '/keys', { scopes }), 'name', 'scopes');
      }
    });

    it('403 for scopes that the key itself lacks, naming one', async () => {
      const limited = api.as((await create({ scopes: ['keys:write', 'links:read'] })).key);
      const table: [object, string][] = [
        [{ scopes: ['links:read', 'tags:read'] }, 'tags:read'],
        [{ scopes: ['*'] }, 'projects:read'],
        [{ scopes: ['*:read'] }, 'projects:read'],
        [{}, 'projects:read'],
      ];
      for (const [body, scope] of table) {
        const reply = await limited('POST', '/keys', { name: 'More', ...body });
        expectError(reply, 403, 'insufficient_scope');
        expect(reply.body.error.message).to.include(scope);
      }
      expect((await create({ scopes: ['links:read'] }, limited)).scopes).to.deep.equal(['links:read']);
      expect((await create({ kind: 'publishable' }, limited)).scopes).to.deep.equal([]);
    });
  });

  it('are listed newest first, ended ones included; none of others', async () => {
    const [own] = await walk(api, '/keys');
    const revoked = await create();
    const ids = [(await create({ kind: 'publishable' })).id, revoked.id, own.id];
    await api('DELETE', `/keys/${revoked.id}`);
    const rows = await walk(api, '/keys', { limit: '1' }, () => create());
    expect(rows.map(({ id }) => id)).to.deep.equal(ids);
    expect(rows[1].revoked_at).to.match(/Z$/);
    expect(own.scopes).to.deep.equal([...SCOPES]);
  });

  it('end at their time', async () => {
    const { key, id } = await create({ expires_at: secondsAhead(60) });
    expect((await use(key)).status).to.equal(200);
    const end = Date.parse((await find(id)).expires_at);
    clock.use({ now: () => end - 1 });
    expect((await use(key)).status).to.equal(200);
    clock.use({ now: () => end });
    expectError(await use(key), 401, 'invalid_key');
  });

  it('are revoked at once by DELETE, also their own; a second time is 404', async () => {
    const { key, id } = await create();
    expect((await use(key)).status).to.equal(200);
    expect((await api('DELETE', `/keys/${id}`)).status).to.equal(204);
    expectError(await use(key), 401, 'invalid_key');
    expectError(await api('DELETE', `/keys/${id}`), 404, 'not_found');
    const other = await create();
    expect((await api.as(other.key)('DELETE', `/keys/${other.id}`)).status).to.equal(204);
    expectError(await use(other.key), 401, 'invalid_key');
  });

  describe('rolling', () => {
    it('gives a new key at once, and the old one its time', async () => {
      const old = await create({ name: 'Server', scopes: ['links:read', 'projects:read'] });
      const next = await roll(old.id, { expire_previous_seconds: 60 });
      expect(next).to.deep.include({ name: 'Server', kind: 'secret', scopes: old.scopes, expires_at: null });
      expect(next.id).to.not.equal(old.id);
      expect(next.key)
        .to.match(/^sk_live_/)
        .and.not.equal(old.key);
      const end = Date.parse((await find(old.id)).expires_at);
      expect(end - Date.parse(next.created_at)).to.be.within(59_000, 61_000);
      clock.use({ now: () => end - 1 });
      expect([(await use(old.key)).status, (await use(next.key)).status]).to.deep.equal([200, 200]);
      clock.use({ now: () => end });
      expectError(await use(old.key), 401, 'invalid_key');
      expect((await use(next.key)).status).to.equal(200);
    });

    it('ends the old one at once for 0, and after a day when nothing is said', async () => {
      const old = await create();
      expect((await use(old.key)).status).to.equal(200);
      await roll(old.id, { expire_previous_seconds: 0 });
      expectError(await use(old.key), 401, 'invalid_key');
      for (const body of [{}, undefined]) {
        const { id } = await create({ kind: 'publishable' });
        const next = await roll(id, body);
        expect(next.key).to.match(/^pk_live_/);
        const row = await find(id);
        expect(Date.parse(row.expires_at) - Date.parse(row.updated_at)).to.be.within(86_399_000, 86_401_000);
      }
    });

    it('never lengthens a life: the old key keeps an earlier end, and so does the new one', async () => {
      const expires_at = secondsAhead(3600);
      const old = await create({ expires_at });
      const next = await roll(old.id, {});
      expect([(await find(old.id)).expires_at, next.expires_at]).to.deep.equal([expires_at, expires_at]);
    });

    it('409 for a key that has ended, 422 for another time than a day at most', async () => {
      const revoked = await create();
      await api('DELETE', `/keys/${revoked.id}`);
      expectError(await api('POST', `/keys/${revoked.id}/roll`, {}), 409, 'conflict');
      const rolled = await create();
      await roll(rolled.id, { expire_previous_seconds: 0 });
      expectError(await api('POST', `/keys/${rolled.id}/roll`, {}), 409, 'conflict');
      for (const seconds of [-1, 86_401, 1.5, '60', null]) {
        const body = { expire_previous_seconds: seconds };
        expectInvalid(await api('POST', `/keys/${rolled.id}/roll`, body), 'expire_previous_seconds');
      }
    });

    it('403 for a key with more scopes than the own one, naming one', async () => {
      const limited = api.as((await create({ scopes: ['keys:write', 'links:read'] })).key);
      const broad = await create({ scopes: ['links:read', 'tags:write'] });
      const reply = await limited('POST', `/keys/${broad.id}/roll`, {});
      expectError(reply, 403, 'insufficient_scope');
      expect(reply.body.error.message).to.include('tags:write');
      expect((await find(broad.id)).expires_at).to.equal(null);
    });

    it('is answered once for an Idempotency-Key, with the same key', async () => {
      const old = await create();
      const options = { headers: { 'Idempotency-Key': 'roll' } };
      const replies = [];
      for (let time = 0; time < 2; time += 1) replies.push(await api('POST', `/keys/${old.id}/roll`, {}, options));
      expect(replies.map(({ status }) => status)).to.deep.equal([200, 200]);
      expect(replies[1]?.body).to.deep.equal(replies[0]?.body);
      expect((await walk(api, '/keys')).length).to.equal(3);
    });
  });

  it('are the same through /graphql', async () => {
    const session = await ownerSession(world);
    const projectId = (await world.api('GET', '/projects')).body.data[0].id;
    const ask = async (query: string, variables: object) =>
      (await graphql(world.origin, query, { ...variables }, session)).data;
    const input = { projectId, name: 'Dashboard', scopes: ['*:read'] };
    const { createKey } = await ask('mutation ($input: CreateKeyInput!) { createKey(input: $input) { id key } }', {
      input,
    });
    const rolling = 'mutation ($id: ID!) { rollKey(id: $id, input: {expirePreviousSeconds: 0}) { id key name } }';
    const { rollKey } = await ask(rolling, { id: createKey.id });
    expect(rollKey.name).to.equal('Dashboard');
    expectError(await use(createKey.key), 401, 'invalid_key');
    expect((await use(rollKey.key)).status).to.equal(200);
    const listing = 'query ($projectId: ID!) { keys(projectId: $projectId) { data { id kind key } } }';
    const { keys } = await ask(listing, { projectId });
    expect(keys.data[0]).to.deep.equal({ id: rollKey.id, kind: 'secret', key: null });
    const publishable = keys.data.find(({ kind }: { kind: string }) => kind === 'publishable');
    expect(publishable.key).to.equal(world.publishableKey);
  });

  describe('in every process', () => {
    before(function () {
      if (dialect() !== 'postgres') this.skip();
    });

    it('end when another one has announced it', async () => {
      const { key, id } = await create();
      expect((await use(key)).status).to.equal(200);
      const { hash } = await ApiKey.findByPk(id, { rejectOnEmpty: true });
      await inTransaction(async (transaction) => {
        await ApiKey.update({ revokedAt: now() }, { where: { id }, transaction });
        await database().query(`SELECT pg_notify('${CHANNEL}', 'another process|key|${hash}')`, { transaction });
      });
      await until(async () => (await use(key)).status === 401, 'the revocation to be heard', 1000);
    });

    it('are announced when they are revoked or rolled here', async () => {
      const listener = new pg.Client({ connectionString: String(config.databaseUrl) });
      const heard: string[] = [];
      listener.on('notification', ({ payload = '' }) => heard.push(payload));
      await listener.connect();
      try {
        await listener.query(`LISTEN ${CHANNEL}`);
        const [revoked, rolled] = [await create(), await create()];
        await api('DELETE', `/keys/${revoked.id}`);
        await roll(rolled.id, { expire_previous_seconds: 0 });
        for (const { id } of [revoked, rolled]) {
          const { hash } = await ApiKey.findByPk(id, { rejectOnEmpty: true });
          await until(() => heard.some((payload) => payload.endsWith(`|key|${hash}`)), 'the announcement', 1000);
        }
      } finally {
        await listener.end();
      }
    });
  });
});
