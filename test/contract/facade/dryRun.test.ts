// stores: each
import { expect } from 'chai';
import { ROUTES } from '../../../facade/routes/index.ts';
import { query } from '../../../src/db/query.ts';
import { everyTable } from '../../support/atRest.ts';
import { expectError } from '../../support/expectError.ts';
import { untilRun } from '../../support/jobs.ts';
import { callRoute, makeThings, type Things } from '../../support/operations.ts';
import { makeTenant, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { useOwnWorld, useSettings } from '../../support/world.ts';

const WRITING = ROUTES.filter(({ method, api }) => method !== 'GET' && api !== 'sdk');
const REHEARSING = WRITING.filter(({ rehearses }) => rehearses);
/** They have a dry run of their own, or change nothing. */
const OTHERS = ['startImport', 'simulateMatch'];

describe('dry run', () => {
  // Nothing may change by itself while tables are compared.
  const world = useOwnWorld({
    HEALTH_CHECK_SECONDS: '86400',
    TRAFFIC_COLLECT_SECONDS: '3600',
    DOMAIN_RETRY_SECONDS: '86400',
    DOMAIN_RECHECK_SECONDS: '86400',
    WEBHOOK_RETRY_SECONDS: '86400',
  });
  let mine: Tenant;
  let things: Things;

  before(async () => {
    // At the start alone, as set above: its event of an install would come in the middle of a test.
    await untilRun('collectAppActivity');
    mine = await makeTenant(world);
    things = await makeThings(mine);
    // The receiver of that webhook does not answer: its deliveries would be tried again meanwhile.
    await mine.api('PATCH', `/webhooks/${things.webhooks}`, { event_types: ['alert.created'] });
    await mine.api('POST', `/webhooks/${things.webhooks}/disable`);
  });

  const expectSame = async (before: Map<string, string>) => {
    const after = await atRest(mine);
    for (const [place, rows] of before) expect(after.get(place), place).to.equal(rows);
  };

  for (const route of REHEARSING) {
    it(`${route.method} ${route.path} answers as if it had happened and keeps nothing`, async () => {
      if (route.id === 'disableWebhook') await mine.api('POST', `/webhooks/${things.webhooks}/enable`);
      const before = await atRest(mine);
      const rehearsing = { ...route, path: withDryRun(route.path) };
      const reply = await callRoute(rehearsing, mine.api, things, { headers: { 'Idempotency-Key': route.id } });
      expect(reply.status, JSON.stringify(reply.body)).to.be.oneOf([...successesOf(route.id, route.status)]);
      expect(reply.headers.get('SVC-Dry-Run')).to.equal('true');
      await expectSame(before);
      if (route.id === 'disableWebhook') await mine.api('POST', `/webhooks/${things.webhooks}/disable`);
    });
  }

  for (const route of WRITING.filter(({ rehearses, id }) => !rehearses && !OTHERS.includes(id))) {
    it(`${route.method} ${route.path} cannot be rehearsed, says so, and does nothing`, async () => {
      const before = await atRest(mine);
      const rehearsing = { ...route, path: withDryRun(route.path) };
      const reply = await callRoute(rehearsing, mine.api, things);
      expectError(reply, 422, 'validation_failed');
      expect(reply.body.error.fields).to.have.length(1);
      expect(reply.body.error.fields[0].path).to.equal('dry_run');
      expect(reply.body.error.fields[0].message).to.match(/cannot be rehearsed/);
      await expectSame(before);
    });
  }

  it('takes true and false alone, and is no parameter of what only reads', async () => {
    expectError(await mine.api('POST', '/tags?dry_run=yes', { name: 'x' }), 422, 'validation_failed');
    expectError(await mine.api('GET', '/tags?dry_run=true'), 422, 'validation_failed');
    const made = await mine.api('POST', '/tags?dry_run=false', { name: 'really' });
    expect(made.status).to.equal(201);
    expect(made.headers.get('SVC-Dry-Run')).to.equal(null);
  });

  it('tells what would be refused, with the error of the real call', async () => {
    const link = { destination: 'https://www.example.com/', slug: 'taken' };
    await mine.api('POST', '/links', link);
    expectError(await mine.api('POST', '/links?dry_run=true', link), 409, 'slug_taken');
    const bulk = { links: [link, { ...link, slug: 'free' }] };
    const { body } = await mine.api('POST', '/links/bulk?dry_run=true', bulk);
    expect(body.counts ?? body).to.include({ created: 1, failed: 1 });
    expect(body.results[0].error.code).to.equal('slug_taken');
  });

  it('does not store its Idempotency-Key: the real call may use it, also with another body', async () => {
    const headers = { 'Idempotency-Key': 'one-key' };
    const send = (path: string, name: string) => mine.api('POST', path, { name }, { headers });
    await send('/tags?dry_run=true', 'kept-1');
    const made = await send('/tags', 'kept-2');
    expect(made.status).to.equal(201);
    expect(made.headers.get('Idempotency-Replayed')).to.equal(null);
    const rehearsed = await send('/tags?dry_run=true', 'kept-3');
    expect(rehearsed.headers.get('Idempotency-Replayed')).to.equal(null);
    expect(rehearsed.body.name).to.equal('kept-3');
  });

  it('leaves redirects as they are', async () => {
    const follow = async (slug: string) => (await fetch(`${world.origin}/${slug}`, { redirect: 'manual' })).status;
    const { body: link } = await mine.api('POST', '/links', { destination: 'https://www.example.com/', slug: 'stays' });
    expect(await follow('stays')).to.equal(302);
    await mine.api('DELETE', `/links/${link.id}?dry_run=true`);
    await mine.api('POST', `/links/${link.id}/archive?dry_run=true`);
    await mine.api('PATCH', `/links/${link.id}?dry_run=true`, { slug: 'moved' });
    await mine.api('POST', '/links?dry_run=true', { destination: 'https://www.example.com/', slug: 'not-there' });
    expect([await follow('stays'), await follow('moved'), await follow('not-there')]).to.deep.equal([302, 404, 404]);
  });

  it('is counted against the rate limit, and needs scope and a writable team like the real call', async () => {
    const first = await mine.api('POST', '/tags?dry_run=true', { name: 'counted' });
    const second = await mine.api('POST', '/tags?dry_run=true', { name: 'counted' });
    const left = (reply: { headers: Headers }) => Number(reply.headers.get('RateLimit-Remaining'));
    expect(left(second)).to.equal(left(first) - 1);
    const { body: reader } = await mine.api('POST', '/keys', { name: 'Reads', scopes: ['*:read'] });
    const refused = await mine.api.as(reader.key)('POST', '/tags?dry_run=true', { name: 'counted' });
    expectError(refused, 403, 'insufficient_scope');
  });

  it('keeps real calls beside it apart: twenty of each leave twenty links and twenty events', async () => {
    const tenant = await makeTenant(world);
    const create = (path: string, at: number) =>
      tenant.api('POST', path, { destination: `https://www.example.com/${at}`, tags: [`t${at % 3}`] });
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) => [create('/links', at), create('/links?dry_run=true', at)]).flat(),
    );
    for (const { status, body } of replies) expect(status, JSON.stringify(body)).to.equal(201);
    expect((await tenant.api('GET', '/links/count')).body.count).to.equal(20);
    const events = await until(async () => {
      const { body } = await tenant.api('GET', '/events?type=link.created');
      return body.data.length >= 20 ? body.data : null;
    }, 'twenty events');
    expect(events).to.have.length(20);
  });

  describe('for a new account', () => {
    useSettings({ newAccountDays: 7, newAccountLinksPerHour: 3 });

    it('uses up nothing of its limits', async () => {
      const tenant = await makeTenant(world);
      const link = { destination: 'https://www.example.com/' };
      for (let count = 0; count < 5; count += 1) {
        expect((await tenant.api('POST', '/links?dry_run=true', link)).status).to.equal(201);
      }
      for (let count = 0; count < 3; count += 1) {
        expect((await tenant.api('POST', '/links', link)).status).to.equal(201);
      }
      expectError(await tenant.api('POST', '/links?dry_run=true', link), 403, 'account_limit_reached');
    });
  });
});

function withDryRun(path: string): string {
  return `${path}?dry_run=true`;
}

function successesOf(id: string, status: number): number[] {
  return id === 'upsertLink' ? [200, 201] : [status];
}

/** Jobs, counters and what is written after an answer go their own ways. */
const BUSY =
  /pgboss|rate_limits|idempotency|health|alerts|webhooks|deliver|attempt|lease|mails|outbox_readers|click_journals|click_drains|api_keys/;

/** All tables that only requests write, once they have come to rest. */
async function atRest({ api }: Tenant): Promise<Map<string, string>> {
  const read = async () => {
    const rows = [...(await everyTable())].filter(([place]) => !BUSY.test(place));
    // PostgreSQL gives the rows of a table in any order.
    const tables = rows.map(
      ([place, text]) =>
        [
          place,
          JSON.stringify(
            JSON.parse(text)
              .map((row: unknown) => JSON.stringify(row))
              .sort(),
          ),
        ] as const,
    );
    // The row of a webhook also holds the lease of its worker, that of a key when it was used last.
    const { data: webhooks } = (await api('GET', '/webhooks')).body;
    const { data: keys } = (await api('GET', '/keys')).body;
    const keysAsMade = keys.map((key: object) => ({ ...key, last_used_at: null }));
    return new Map([
      ...tables,
      ['webhooks', JSON.stringify(webhooks)] as const,
      ['keys', JSON.stringify(keysAsMade)] as const,
    ]);
  };
  await until(hasSentAll, 'the events to be fanned out');
  let earlier = await read();
  return until(async () => {
    const now = await read();
    const isSame = [...now].every(([place, rows]) => earlier.get(place) === rows);
    earlier = now;
    return isSame ? now : null;
  }, 'the tables to come to rest');
}

async function hasSentAll(): Promise<boolean> {
  const [row] = await query<{ pending: number | string }>(
    'SELECT COUNT(*) AS pending FROM events WHERE fanned_out_at IS NULL',
  );
  return Number(row?.pending) === 0;
}
