// stores: any
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { expect } from 'chai';
import { sqlTime } from '../../../src/db/jsonRows.ts';
import { query, queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock, DAY_MS } from '../../../src/kernel/clock.ts';
import { config } from '../../../src/kernel/config.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Project } from '../../../src/models/Project.ts';
import { AGENTS } from '../../support/agents.ts';
import { stopClock } from '../../support/stopClock.ts';
import { renameTable } from '../../support/storeFaults.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { startWorld, type World } from '../../support/world.ts';

/** A row of `orphans`. */
type Orphan = Record<string, string | number | null> & { count: number };

describe('requests for slugs that no link has', () => {
  let world: World;
  let first: Tenant;
  let other: Tenant;
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });

  before(async () => {
    world = await startWorld({ ORPHANS_PER_MINUTE: '300' });
    first = await firstTenant(world);
    other = await makeTenant(world, first.teamId);
    await addDomain(other.projectId, 'go.customer.test');
  });
  after(async () => {
    agent.destroy();
    await world.stop();
  });
  beforeEach(async () => {
    nextMinute();
    await untilWritten();
    await inTransaction((transaction) => queryRaw('DELETE FROM orphans', [], transaction));
    nextMinute();
  });
  afterEach(() => clock.reset());
  /** With its own bound of orphans. */
  const nextMinute = () => {
    minutes += 1;
    stopClock(Math.floor(Date.now() / 60_000 - minutes) * 60_000);
  };
  let minutes = 0;

  const addDomain = (projectId: string, hostname: string) =>
    inTransaction((transaction) =>
      queryRaw(
        `INSERT INTO domains (id, project_id, hostname, kind, status, verified_at, created_at, updated_at)
         VALUES ($1, $2, $3, 'link', 'verified', $4, $4, $4)`,
        [newId('dom'), projectId, hostname, sqlTime(Date.now())],
        transaction,
      ),
    );
  const ask = (path: string, { host, method = 'GET', headers = {} }: Asking = {}) =>
    new Promise<number>((resolve, reject) => {
      const url = new URL(world.origin);
      const given = { 'User-Agent': AGENTS.human, ...(host ? { Host: host } : {}), ...headers };
      request({ hostname: url.hostname, port: url.port, path, method, agent, headers: given }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode as number));
      })
        .once('error', reject)
        .end();
    });
  const rows = () => query<Orphan>('SELECT * FROM orphans ORDER BY id');
  const counted = (found: Orphan[]) => found.reduce((sum, { count }) => sum + count, 0);
  const untilCounted = (count: number) =>
    until(async () => {
      const found = await rows();
      return counted(found) >= count ? found : null;
    }, `${count} orphans in the store`);
  /** Asks again where a busy store could not tell in time whether there is such a link (503). */
  const untilUnknown = async (path: string) => {
    const status = await until(async () => {
      const answered = await ask(path);
      return answered === 503 ? null : answered;
    }, `an answer for ${path}`);
    expect(status).to.equal(404);
  };
  /** Until nothing of the test before waits. */
  const untilWritten = async () => {
    const marker = `marker-${minutes}`;
    await ask(`/${marker}`);
    await until(async () => (await rows()).some(({ slug }) => slug === marker), 'the marker');
  };

  it('are stored with the facts of the visit, for the project of the first start', async () => {
    const headers = { 'Accept-Language': 'de-AT', Referer: 'https://news.example.org/x' };
    expect(await ask('/nowhere/at-all?q=1', { headers })).to.equal(404);
    const [orphan, ...more] = await untilCounted(1);
    expect(more).to.deep.equal([]);
    expect(orphan).to.include({
      project_id: first.projectId,
      domain: config.linkDomain,
      slug: 'nowhere/at-all',
      traffic_class: 'human',
      platform: 'ios',
      device: 'mobile',
      language: 'de-at',
      referrer_host: 'news.example.org',
      count: 1,
    });
    expect(orphan?.visitor).to.be.a('string');
    expect(new Date(String(orphan?.occurred_at)).getTime()).to.equal(clock.now());
  });

  it('belong to the project of the domain', async () => {
    expect(await ask('/nowhere', { host: 'go.customer.test' })).to.equal(404);
    const [orphan] = await untilCounted(1);
    expect(orphan).to.include({ project_id: other.projectId, domain: 'go.customer.test', slug: 'nowhere' });
  });

  it('of the shared domain are nobody’s once the projects of the operator are deleted', async () => {
    const stranger = await makeTenant(world);
    await addDomain(stranger.projectId, 'go.stranger.test');
    const remove = (deletionAt: Date | null) =>
      inTransaction((transaction) =>
        Project.unscoped().update({ deletionAt }, { where: { teamId: first.teamId }, transaction }),
      );
    await remove(new Date(clock.now() + DAY_MS));
    try {
      expect(await ask('/of-the-operator')).to.equal(404);
      expect(await ask('/of-the-stranger', { host: 'go.stranger.test' })).to.equal(404);
      await untilCounted(1);
    } finally {
      await remove(null);
    }
    const found = (await rows()).map(({ project_id, slug }) => [project_id, slug]);
    expect(found).to.deep.equal([[stranger.projectId, 'of-the-stranger']]);
  });

  it('do not include links of a deleted project, nor what they forwarded', async () => {
    const stranger = await makeTenant(world);
    const link = { destination: 'https://example.com/', slug: 'private/offer', routing: { forward_path: true } };
    expect((await stranger.api('POST', '/links', link)).status).to.equal(201);
    const deletionAt = new Date(clock.now() + DAY_MS);
    await inTransaction((transaction) =>
      Project.update({ deletionAt }, { where: { id: stranger.projectId }, transaction }),
    );
    for (const path of ['/private/offer', '/private/offer/of/today', '/private']) expect(await ask(path)).to.equal(404);
    expect((await untilCounted(1)).map(({ slug }) => slug)).to.deep.equal(['private']);
  });

  it('are distinguished by traffic class', async () => {
    await ask('/probe', { method: 'HEAD' });
    await ask('/probe', { headers: { 'User-Agent': AGENTS.bot } });
    await ask('/probe');
    const classes = (await untilCounted(3)).map(({ traffic_class }) => traffic_class);
    expect(classes).to.have.members(['bot', 'bot', 'human']);
  });

  it('have no slug if the path cannot be one', async () => {
    for (const path of ['/a//b', `/${'x'.repeat(191)}`, '/%00', '/%F0%9F%98%80']) await ask(path);
    const found = await untilCounted(4);
    expect(found.map(({ slug }) => slug)).to.deep.equal([null, null, null, null]);
    expect(found[0]).to.include({ platform: 'ios', count: 1 });
  });

  it('do not include archived, scheduled and expired links', async () => {
    const make = async (slug: string, body: object) =>
      (await first.api('POST', '/links', { destination: 'https://example.com/', slug, ...body })).body;
    const { id } = await make('archived', {});
    await first.api('POST', `/links/${id}/archive`);
    await make('scheduled', { starts_at: '2100-01-01T00:00:00.000Z' });
    await make('over', { expires_at: '2020-01-01T00:00:00.000Z' });
    expect([await ask('/archived'), await ask('/scheduled'), await ask('/over')]).to.deep.equal([404, 404, 410]);
    await ask('/orphan');
    expect((await untilCounted(1)).map(({ slug }) => slug)).to.deep.equal(['orphan']);
  });

  it('a flood of 1,500 makes few rows with the full count, then single ones are kept again', async () => {
    const paths = Array.from({ length: 1500 }, (_, at) => `/flood-${at}`);
    const next = async () => {
      for (let path = paths.pop(); path !== undefined; path = paths.pop()) await untilUnknown(path);
    };
    await Promise.all(Array.from({ length: 20 }, next));
    await ask('/one-more', { headers: { 'User-Agent': AGENTS.bot } });
    const found = await untilCounted(1501);
    expect(counted(found)).to.equal(1501);
    const single = found.filter(({ slug }) => slug !== null);
    expect(single.length).to.be.within(290, 300);
    expect(single.every(({ count }) => count === 1)).to.equal(true);
    const many = found.filter(({ slug }) => slug === null);
    // One for each second and class.
    expect(many.length).to.be.lessThan(60);
    for (const row of many)
      expect(row).to.include({ project_id: first.projectId, domain: config.linkDomain, platform: null, visitor: '' });
    expect(counted(many.filter(({ traffic_class }) => traffic_class === 'bot'))).to.equal(1);
    stopClock(clock.now() + 60_000);
    const { body } = await first.api('GET', '/analytics?event=orphan&traffic=all&interval=1h');
    expect(body.total.count).to.equal(1501);
    await ask('/after-the-flood');
    const later = await untilCounted(1502);
    expect(later.some(({ slug }) => slug === 'after-the-flood')).to.equal(true);
  });

  it('wait while the store fails, and are counted once', async () => {
    await renameTable('orphans', 'orphans_elsewhere');
    for (const slug of ['a', 'b', 'c']) expect(await ask(`/down-${slug}`)).to.equal(404);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await renameTable('orphans_elsewhere', 'orphans');
    const found = await untilCounted(3);
    expect(found.map(({ slug }) => slug)).to.deep.equal(['down-a', 'down-b', 'down-c']);
  });
});

interface Asking {
  host?: string;
  method?: string;
  headers?: IncomingHttpHeaders;
}
