// plays, stores: each
import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { dialect } from '../../src/db/connection/database.ts';
import { query } from '../../src/db/query.ts';
import { AGENTS } from '../support/agents.ts';
import { createLink, type MadeLink } from '../support/createLink.ts';
import { rawRequest } from '../support/rawRequest.ts';
import { type Sdk, sdkOf } from '../support/sdk.ts';
import { renameTable } from '../support/storeFaults.ts';
import { firstTenant, makeTenant, type Tenant } from '../support/tenants.ts';
import { until } from '../support/until.ts';
import { type OwnWorld, startWorld } from '../support/world.ts';

const MB = 1024 * 1024;
const EVENTS = 1000;
const REQUESTS = 600;
const LINKS_IN_MEMORY = 200;
const REFERRERS = 100;
/** At once. */
const WORKERS = 16;
/** So wide that a busy machine keeps it. */
const SLOWEST_MS = 5000;

/**
 * What strangers can do with a public key, or with nothing, at the quotas of the defaults. Each flood has a bound of rows,
 * on SQLite of bytes too, and the link of another team is answered meanwhile.
 */
describe('floods', function () {
  this.timeout(300_000);
  let world: OwnWorld;
  let sdk: Sdk;
  let mine: Tenant;
  let others: MadeLink;
  let slowestMs = 0;

  before(async () => {
    world = await startWorld({
      TRUSTED_PROXIES: '127.0.0.1',
      LINK_CACHE_ENTRIES: String(LINKS_IN_MEMORY),
      DISTINCT_VALUES_PER_DAY: String(REFERRERS),
    });
    mine = await makeTenant(world);
    sdk = await sdkOf(mine);
    others = await createLink((await firstTenant(world)).api, { destination: 'https://www.example.com/' });
    await followOthers();
  });
  after(() => world.stop());

  const followOthers = async () => {
    const startedAt = performance.now();
    const { status } = await rawRequest(world.origin, `/${others.slug}`, { headers: { 'User-Agent': AGENTS.human } });
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    expect(status).to.equal(302);
  };
  /** Asks so many times, and follows the link of the others now and then. Gives how often each status came. */
  const flood = async (times: number, ask: (at: number) => Promise<{ status: number }>, meanwhile = followOthers) => {
    const statuses: Record<number, number> = {};
    let next = 0;
    const work = async () => {
      for (let at = next++; at < times; at = next++) {
        const { status } = await ask(at);
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (at % 50 === 0) await meanwhile();
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    return statuses;
  };
  const rows = async (table: string, where = 'project_id = :id') => {
    const sql = `SELECT CAST(COUNT(*) AS INTEGER) AS count FROM ${table} WHERE ${where}`;
    const [row] = await query<{ count: number }>(sql, { id: mine.projectId });
    return row?.count ?? 0;
  };
  /** How much DATA_DIR grew meanwhile; 0 where the store is another machine's. */
  const growth = async (during: () => Promise<void>) => {
    const before = await bytesIn(world.dataDir);
    await during();
    return dialect() === 'sqlite' ? (await bytesIn(world.dataDir)) - before : 0;
  };
  const from = '198.51.100.7';

  it('of events with random installs keep to the quota of an address: 1,000 a minute, below 24 MB', async () => {
    const properties = { text: 'x'.repeat(500) };
    const grown = await growth(async () => {
      const events = Array.from({ length: 100 }, (_, at) => ({ name: `name ${at}`, properties }));
      const statuses = await flood(60, (at) =>
        sdk.event({ events: events.map((one) => ({ ...one, name: `${one.name} ${at}` })) }, { from }),
      );
      expect(Object.keys(statuses).sort()).to.deep.equal(['202', '429']);
      expect(statuses[202]).to.be.within(EVENTS / 100, (2 * EVENTS) / 100);
    });
    expect(await rows('app_events')).to.be.at.most(2 * EVENTS);
    expect(await rows('event_names')).to.be.at.most(500);
    expect(grown).to.be.below(24 * MB);
  });

  it('of openings with random installs keep to the requests of an address, below 32 MB; known ones go on elsewhere', async () => {
    const install_id = randomUUID();
    await sdk.open({ install_id }, { from: '198.51.100.8' });
    const grown = await growth(async () => {
      expect(await flood(REQUESTS + 200, () => sdk.open({}, { from }))).to.deep.equal({ 200: REQUESTS + 200 });
    });
    expect(await rows('installs')).to.be.at.most(2 * REQUESTS);
    expect((await sdk.event({ install_id }, { from: '198.51.100.8' })).status).to.equal(202);
    // Mostly SQLite's write-ahead log, which is used again.
    expect(grown).to.be.below(32 * MB);
  });

  it('of clicks with random referrers are one click each, and few groups of figures', async () => {
    const link = await createLink(mine.api, { destination: 'https://www.example.com/' });
    const click = (at: number) =>
      rawRequest(world.origin, `/${link.slug}`, {
        headers: { 'User-Agent': AGENTS.human, Referer: `https://r${at}.example.com/`, 'X-Forwarded-For': from },
      });
    const grown = await growth(async () => {
      expect(await flood(1000, click)).to.deep.equal({ 302: 1000 });
      await until(async () => (await rows('clicks')) === 1000, 'the clicks in the store');
    });
    const { body } = await mine.api('GET', '/analytics?group_by=referrer_host&limit=1000');
    expect(body.data).to.have.length(REFERRERS + 1);
    expect(body.data[0]).to.include({ key: 'other', count: 1000 - REFERRERS });
    expect(grown).to.be.below(16 * MB);
  });

  it('of made-up slugs and hosts push no link out of memory, which is followed while the store is away', async () => {
    const made = (at: number) =>
      at % 2
        ? rawRequest(world.origin, `/made-up-${at}`, { headers: { 'User-Agent': AGENTS.human } })
        : rawRequest(world.origin, `/${others.slug}`, { host: `h${at}.example.org` });
    // Nobody follows it meanwhile, which would keep it in memory.
    const statuses = await flood(10 * LINKS_IN_MEMORY, made, async () => {});
    expect(statuses).to.deep.equal({ 404: 10 * LINKS_IN_MEMORY });
    await renameTable('links', 'links_away');
    try {
      await followOthers();
      expect((await rawRequest(world.origin, '/made-up-1')).status).to.equal(503);
    } finally {
      await renameTable('links_away', 'links');
    }
  });

  it('keep nobody of another team waiting', () => {
    expect(slowestMs).to.be.below(SLOWEST_MS);
  });
});

/** But for the job store, which takes room of its own accord, 16 MB at a time. */
async function bytesIn(folder: string): Promise<number> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => !name.startsWith(`jobs${path.sep}`));
  const sizes = names.map((name) =>
    stat(path.join(folder, name))
      .then(({ size }) => size)
      .catch(() => 0),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
