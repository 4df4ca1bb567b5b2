// stores: each
import { expect } from 'chai';
import { claimRequest } from '../../../src/access/idempotencyStore.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Event } from '../../../src/models/Event.ts';
import { IdempotencyRecord } from '../../../src/models/IdempotencyRecord.ts';
import { Link } from '../../../src/models/Link.ts';
import { Team } from '../../../src/models/Team.ts';
import type { Reply } from '../../support/api.ts';
import { expectError } from '../../support/expectError.ts';
import { loseCommits } from '../../support/storeFaults.ts';
import { firstTenant, makeKey, makeTenant, ownerSession, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { useWorld } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';
const DAY_MS = 86_400_000;

describe('Idempotency-Key', () => {
  const world = useWorld();
  let mine: Tenant;
  let keys = 0;

  before(async () => {
    mine = await firstTenant(world);
  });
  afterEach(() => clock.reset());

  const newKey = () => {
    keys += 1;
    return `key-${keys}`;
  };
  const post = (path: string, body: unknown, key: string, api = mine.api) =>
    api('POST', path, body, { headers: { 'Idempotency-Key': key } });
  const isReplay = ({ headers }: Reply) => headers.get('idempotency-replayed') === 'true';
  const same = (first: Reply, second: Reply) => {
    expect(second.status).to.equal(first.status);
    expect(second.body).to.deep.equal(first.body);
    expect(second.headers.get('content-type')).to.equal(first.headers.get('content-type'));
    expect([isReplay(first), isReplay(second)]).to.deep.equal([false, true]);
  };

  it('gives a repeat the first answer, quoted or bare, and acts once', async () => {
    const key = newKey();
    const first = await post('/links', { destination: DESTINATION, tags: ['a'] }, key);
    expect(first.status).to.equal(201);
    const events = await Event.count();
    same(first, await post('/links', { destination: DESTINATION, tags: ['a'] }, key));
    same(first, await post('/links', { destination: DESTINATION, tags: ['a'] }, `"${key}"`));
    expect(await Event.count()).to.equal(events);
    // Also after the link has changed or gone.
    await mine.api('DELETE', `/links/${first.body.id}`);
    same(first, await post('/links', { destination: DESTINATION, tags: ['a'] }, key));
  });

  it('422 idempotency_key_reused for another body, path or query', async () => {
    const key = newKey();
    const link = await post('/links', { destination: DESTINATION }, key);
    expectError(await post('/links', { destination: `${DESTINATION}b` }, key), 422, 'idempotency_key_reused');
    expectError(await post(`/links/${link.body.id}/archive`, undefined, key), 422, 'idempotency_key_reused');
  });

  it('belongs to the API key: another key acts for itself', async () => {
    const key = newKey();
    const { key: secret } = await makeKey(world, await ownerSession(world), { projectId: mine.projectId });
    const first = await post('/links', { destination: DESTINATION }, key);
    const other = await post('/links', { destination: DESTINATION }, key, world.api.as(secret));
    expect(other.status).to.equal(201);
    expect(other.body.id).to.not.equal(first.body.id);
  });

  it('keeps refusals that were decided while acting', async () => {
    await mine.api('POST', '/links', { destination: DESTINATION, slug: 'kept-refusal' });
    const key = newKey();
    const first = await post('/links', { destination: DESTINATION, slug: 'kept-refusal' }, key);
    expectError(first, 409, 'slug_taken');
    const { data } = (await mine.api('GET', '/links?search=kept-refusal')).body;
    await mine.api('DELETE', `/links/${data[0].id}`);
    same(first, await post('/links', { destination: DESTINATION, slug: 'kept-refusal' }, key));
    const missing = newKey();
    const nothing = await post(`/links/${newId('lnk')}/archive`, undefined, missing);
    expectError(nothing, 404, 'not_found');
  });

  it('does not keep what was decided before acting', async () => {
    const key = newKey();
    expectError(await post('/links', { destination: 'nonsense' }, key), 422, 'validation_failed');
    expectError(await post('/links', { destination: 'otherapp://x' }, key), 422, 'validation_failed');
    expect((await post('/links', { destination: DESTINATION }, key)).status).to.equal(201);
  });

  it('409 for a twin while the first is at work; twenty at once make one link', async () => {
    const key = newKey();
    const slug = 'twins';
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => post('/links', { destination: DESTINATION, slug }, key)),
    );
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expectError(reply, 409, 'idempotency_in_progress');
      expect(Number(reply.headers.get('retry-after'))).to.be.at.least(1);
    }
    expect(replies.filter(({ status }) => status === 201)).to.not.have.length(0);
    expect(await Link.count({ where: { slug } })).to.equal(1);
  });

  it('acts anew when 24 hours are over, and not a second earlier', async () => {
    const key = newKey();
    const start = Date.now();
    clock.use({ now: () => start });
    const first = await post('/links', { destination: DESTINATION }, key);
    clock.use({ now: () => start + DAY_MS - 1 });
    same(first, await post('/links', { destination: DESTINATION }, key));
    clock.use({ now: () => start + DAY_MS });
    const again = await post('/links', { destination: DESTINATION }, key);
    expect([again.status, isReplay(again)]).to.deep.equal([201, false]);
    expect(again.body.id).to.not.equal(first.body.id);
  });

  it('takes over from a process that died, when its lease is over', async () => {
    const key = newKey();
    const first = await post('/links', { destination: DESTINATION }, key);
    const record = await IdempotencyRecord.findOne({ where: { idempotencyKey: key }, rejectOnEmpty: true });
    const { keyId, fingerprint } = record;
    const dying = newKey();
    await claimRequest({ keyId, idempotencyKey: dying, fingerprint });
    expectError(await post('/links', { destination: DESTINATION }, dying), 409, 'idempotency_in_progress');
    const later = Date.now() + 91_000;
    clock.use({ now: () => later });
    const taken = await post('/links', { destination: DESTINATION }, dying);
    expect([taken.status, isReplay(taken)]).to.deep.equal([201, false]);
    expect(first.status).to.equal(201);
  });

  it('gives a claim up when the store goes away while it commits it', async () => {
    const [record] = await IdempotencyRecord.findAll({ limit: 1 });
    const idempotencyKey = newKey();
    const endLosses = loseCommits();
    const claiming = claimRequest({ keyId: String(record?.keyId), fingerprint: 'of a request', idempotencyKey });
    const outcome = await claiming.catch((error: Error) => error.message);
    endLosses();
    expect(outcome).to.equal('Connection terminated');
    await until(async () => (await IdempotencyRecord.count({ where: { idempotencyKey } })) === 0, 'the release');
  });

  it('gives a claim up later when the store goes away after a refusal', async () => {
    const tenant = await makeTenant(world);
    const setMode = (status: string) =>
      inTransaction((transaction) => Team.update({ status }, { where: { id: tenant.teamId }, transaction }));
    await setMode('read_only');
    const key = newKey();
    const ask = () => post('/links', { destination: DESTINATION }, key, tenant.api);
    const destroy = IdempotencyRecord.destroy;
    IdempotencyRecord.destroy = () => Promise.reject(new Error('Connection terminated'));
    try {
      expectError(await ask(), 403, 'team_read_only');
      expectError(await ask(), 409, 'idempotency_in_progress');
    } finally {
      IdempotencyRecord.destroy = destroy;
    }
    await setMode('active');
    await until(async () => (await ask()).status === 201, 'the release');
  });

  it('rolls back with the stored answer: who lost the claim meanwhile has no effect', async () => {
    const key = newKey();
    const slug = 'lost-claim';
    const losing = post('/links', { destination: DESTINATION, slug }, key);
    // Somebody else takes the claim while the request is at work, if it is by then.
    const stealing = inTransaction(async (transaction) => {
      const [stolen] = await IdempotencyRecord.update(
        { claim: 'stolen' },
        { where: { idempotencyKey: key, status: null }, transaction },
      );
      return stolen;
    });
    const [reply, stolen] = await Promise.all([losing, stealing]);
    expect(await Link.count({ where: { slug } })).to.equal(reply.status === 201 ? 1 : 0);
    if (stolen === 1) expectError(reply, 409, 'idempotency_in_progress');
  });

  it('stores answers that hold a secret encrypted', async () => {
    const key = newKey();
    const body = { url: 'http://127.0.0.1:9999/hook' };
    const first = await post('/webhooks', body, key);
    const record = await IdempotencyRecord.findOne({ where: { idempotencyKey: key }, rejectOnEmpty: true });
    expect(record.body).to.not.include('whsec_').and.not.include('hook');
    same(first, await post('/webhooks', body, key));
  });

  it('works for bulk', async () => {
    const key = newKey();
    const links = [{ destination: DESTINATION }, { destination: '' }];
    const first = await post('/links/bulk', { links }, key);
    expect(first.body.counts).to.deep.equal({ created: 1, failed: 1 });
    same(first, await post('/links/bulk', { links }, key));
    expect(await Link.count({ where: { batchId: first.body.batch_id } })).to.equal(1);
  });

  it('replays in survival mode, and keeps no refusal of it', async () => {
    const tenant = await makeTenant(world);
    const key = newKey();
    const first = await post('/links', { destination: DESTINATION }, key, tenant.api);
    const setMode = (status: string) =>
      inTransaction((transaction) => Team.update({ status }, { where: { id: tenant.teamId }, transaction }));
    await setMode('read_only');
    same(first, await post('/links', { destination: DESTINATION }, key, tenant.api));
    const other = newKey();
    expectError(await post('/links', { destination: DESTINATION }, other, tenant.api), 403, 'team_read_only');
    await setMode('active');
    expect((await post('/links', { destination: DESTINATION }, other, tenant.api)).status).to.equal(201);
  });

  it('400 for a key that is empty, too long, or not printable', async () => {
    for (const key of ['', '""', 'x'.repeat(256), 'a\tb', 'ü']) {
      expectError(await post('/links', { destination: DESTINATION }, key), 400, 'invalid_request');
    }
    expect((await post('/links', { destination: DESTINATION }, 'x'.repeat(255))).status).to.equal(201);
  });
});
