// stores: any
import { expect } from 'chai';
import { readAnalytics } from '../../../src/analytics/analyticsService.ts';
import { buildBlocks } from '../../../src/analytics/columns/buildBlocks.ts';
import { columnCache } from '../../../src/analytics/columns/readBlocks.ts';
import { database } from '../../../src/db/connection/database.ts';
import { query } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { config } from '../../../src/kernel/config.ts';
import { type ClickStore, openClickStore, plainClick } from './clickStore.ts';

const DAY = '2026-11-01';
/** Cut, so that blocks are read and not the totals of a day. */
const CUT = { start: new Date(`${DAY}T00:00:00.001Z`), end: new Date('2026-11-02T00:00:00Z') };
const BYTES = 1_000_000;

describe('The memory of columns', () => {
  let store: ClickStore;
  beforeEach(async () => {
    store = await openClickStore();
    config.analyticsMemoryBytes = BYTES;
  });
  afterEach(() => store.close());

  const change = (sql: string) => inTransaction((transaction) => database().query(sql, { transaction }));
  const forgetColumns = () => change('DELETE FROM click_columns');
  const blocks = () => query('SELECT project_id, from_quarter, to_quarter, clicks FROM click_blocks ORDER BY 1, 2');
  const byCountry = async (projectId = store.projectId) => {
    const asked = { projectId, groupBy: 'country', ...CUT };
    const { data } = await readAnalytics({ ...store.principal, projectId }, asked);
    return Object.fromEntries(data.map(({ key, count }) => [key, count]));
  };
  const reclass = async (visitor: string, trafficClass: string) => {
    await change(`UPDATE clicks SET traffic_class = '${trafficClass}' WHERE visitor = '${visitor}'`);
    await change(`INSERT INTO click_backlog (project_id, quarter, clicks)
      VALUES ('${store.projectId}', ${Date.parse(`${DAY}T10:00:00Z`) / 900_000}, 1)`);
  };

  it('answers what was read before, and reads from the store what it lacks', async () => {
    await store.click(`${DAY}T10:00:00Z`, { country: 'DE', city: 'Berlin' });
    await store.click(`${DAY}T10:01:00Z`, { country: 'AT', city: 'Wien' });
    await buildBlocks();
    const before = await byCountry();
    expect(before).to.deep.equal({ DE: 1, AT: 1 });
    await change("DELETE FROM click_columns WHERE name <> 'city'");
    expect(await byCountry()).to.deep.equal(before);
    const cities = await store.ask({ ...CUT, groupBy: 'city', country: 'AT' });
    expect(cities.data.map(({ key, count }) => [key, count])).to.deep.equal([['Wien', 1]]);
  });

  it('knows nothing of a block that was made anew of the same quarters with as many clicks', async () => {
    await store.click(`${DAY}T10:00:00Z`, { country: 'DE', visitor: 'one' });
    await store.click(`${DAY}T10:01:00Z`, { country: 'AT', visitor: 'another' });
    await buildBlocks();
    const [before, shape] = [await byCountry(), await blocks()];
    expect(before).to.deep.equal({ DE: 1, AT: 1 });
    await reclass('another', 'scanner');
    await buildBlocks();
    expect(await blocks()).to.deep.equal(shape);
    expect(await byCountry()).to.deep.equal({ DE: 1 });
  });

  it('knows nothing of a block that a late click came to', async () => {
    await store.click(`${DAY}T10:00:00Z`, { country: 'DE' });
    await buildBlocks();
    expect(await byCountry()).to.deep.equal({ DE: 1 });
    await store.click(`${DAY}T10:02:00Z`, { country: 'AT' });
    expect(await byCountry()).to.deep.equal({ DE: 1, AT: 1 });
    await buildBlocks();
    expect(await byCountry()).to.deep.equal({ DE: 1, AT: 1 });
    await forgetColumns();
    expect(await byCountry()).to.deep.equal({ DE: 1, AT: 1 });
  });

  it('keeps projects apart whose blocks look alike', async () => {
    const at = Date.parse(`${DAY}T10:00:00Z`);
    await store.store([
      { ...plainClick(store.projectId, store.links[0] as string, at), country: 'DE' },
      { ...plainClick(store.projectId, store.links[0] as string, at + 1), country: 'DE' },
      { ...plainClick(store.emptyProjectId, store.foreignLink, at), country: 'AT' },
      { ...plainClick(store.emptyProjectId, store.foreignLink, at + 1), country: 'FR' },
    ]);
    await buildBlocks();
    const versions = await query<{ version: number }>('SELECT DISTINCT version FROM click_blocks');
    expect(versions).to.have.length(1);
    for (let round = 0; round < 2; round += 1) {
      expect(await byCountry()).to.deep.equal({ DE: 2 });
      expect(await byCountry(store.emptyProjectId)).to.deep.equal({ AT: 1, FR: 1 });
    }
  });

  it('tells what is true while blocks are made anew, and after that', async () => {
    await store.click(`${DAY}T10:00:00Z`, { country: 'DE', visitor: 'one' });
    await store.click(`${DAY}T10:01:00Z`, { country: 'AT', visitor: 'another' });
    await buildBlocks();
    const truth: Record<string, object> = { human: { DE: 1, AT: 1 }, scanner: { DE: 1 } };
    for (const trafficClass of ['scanner', 'human', 'scanner', 'human']) {
      await reclass('another', trafficClass);
      const [, ...answers] = await Promise.all([buildBlocks(), ...Array.from({ length: 6 }, () => byCountry())]);
      for (const answer of answers) expect(answer).to.deep.equal(truth[trafficClass]);
      expect(await byCountry()).to.deep.equal(truth[trafficClass]);
    }
  });

  it('holds no more than its bound', async () => {
    config.analyticsMemoryBytes = 5000;
    for (let day = 1; day <= 6; day += 1)
      for (const country of ['DE', 'AT', 'DE']) await store.click(`2026-11-0${day}T10:00:00Z`, { country });
    await buildBlocks();
    const sizes: number[] = [];
    for (let day = 1; day <= 6; day += 1) {
      const range = { start: new Date(`2026-11-0${day}T09:00:00.001Z`), end: new Date(`2026-11-0${day}T11:00:00Z`) };
      expect((await store.ask({ ...range, groupBy: 'country' })).data).to.have.length(2);
      sizes.push(columnCache()?.calculatedSize as number);
    }
    expect(sizes[0]).to.be.within(1000, 2000);
    expect(sizes[1]).to.be.above(sizes[0] as number);
    for (const size of sizes) expect(size).to.be.at.most(5000);
  });

  it('keeps nothing of a question about more than half of it', async () => {
    config.analyticsMemoryBytes = 900;
    for (let minute = 10; minute < 46; minute += 1) await store.click(`${DAY}T10:${minute}:00Z`, { country: 'DE' });
    await buildBlocks();
    expect(await byCountry()).to.deep.equal({ DE: 36 });
    expect(columnCache()?.size).to.equal(0);
  });

  it('is not there where its bound is 0', async () => {
    config.analyticsMemoryBytes = 0;
    await store.click(`${DAY}T10:00:00Z`, { country: 'DE' });
    await buildBlocks();
    expect(await byCountry()).to.deep.equal({ DE: 1 });
    expect(columnCache()).to.equal(null);
    await change("DELETE FROM click_columns WHERE name = 'country'");
    expect(await byCountry()).to.deep.equal({ null: 1 });
  });
});
