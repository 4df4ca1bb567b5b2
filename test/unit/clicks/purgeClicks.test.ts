// stores: each
import { expect } from 'chai';
import { storeClicks } from '../../../src/clicks/clickStore.ts';
import { purgeClicks } from '../../../src/clicks/purgeClicks.ts';
import { query, queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock, QUARTER_MS } from '../../../src/kernel/clock.ts';
import { firstIdAt, newId } from '../../../src/kernel/ids.ts';
import { orphanInserter, purgeOrphans } from '../../../src/redirect/orphanStore.ts';
import { makeClick, makeProject } from '../../support/clicks.ts';
import { stopClock } from '../../support/stopClock.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-21T12:00:00.000Z');

describe('clicks that are kept no longer', () => {
  let store: OpenStore;
  let projectId: string;

  before(async () => {
    store = await openStore({ CLICK_RETENTION_DAYS: '10' });
    projectId = (await makeProject()).id;
  });
  after(() => store.close());
  beforeEach(() => void stopClock(NOW));
  afterEach(async () => {
    clock.reset();
    await run('DELETE FROM clicks');
    await run('DELETE FROM click_arrivals');
  });

  const run = (sql: string, ...values: unknown[]) => inTransaction((transaction) => queryRaw(sql, values, transaction));
  /** An id of that moment, as clicks have one. */
  const idAt = (prefix: 'clk' | 'orp', ms: number) => firstIdAt(prefix, ms).slice(0, 14) + newId(prefix).slice(14);
  /** Stores clicks so many days old and gives their ids. */
  const clicksOf = async (daysOld: number, count = 1, isAwaited = false) => {
    const occurredAt = NOW - daysOld * DAY_MS;
    const clicks = Array.from({ length: count }, () =>
      makeClick({ projectId, occurredAt, id: idAt('clk', occurredAt) }),
    );
    await storeClicks(clicks, { listening: () => isAwaited });
    return clicks.map(({ id }) => id);
  };
  /** As when all clicks are in blocks. */
  const emptyBacklog = () => run('DELETE FROM click_arrivals');
  const left = async () => (await query<{ id: string }>('SELECT id FROM clicks ORDER BY id')).map(({ id }) => id);
  /** Purges to the end and gives the number of steps. */
  const purge = async () => {
    let steps = 1;
    for (let at = await purgeClicks(); at !== null; at = await purgeClicks(at)) steps += 1;
    return steps;
  };

  it('deletes those that are older than CLICK_RETENTION_DAYS, in small steps', async () => {
    await clicksOf(11, 1100);
    const kept = await clicksOf(9.9, 3);
    await emptyBacklog();
    expect(await purge()).to.equal(3);
    expect(await left()).to.deep.equal(kept.sort());
  });

  it('keeps those that webhooks are still to be told of', async () => {
    const kept = await clicksOf(20, 2, true);
    await clicksOf(19, 2);
    await emptyBacklog();
    await purge();
    expect(await left()).to.deep.equal(kept.sort());
  });

  it('keeps those of a quarter that is not in the blocks yet, of that project alone', async () => {
    const other = (await makeProject()).id;
    const kept = await clicksOf(30, 600);
    await clicksOf(29, 2);
    await emptyBacklog();
    const quarter = Math.floor((NOW - 30 * DAY_MS) / QUARTER_MS);
    const insert =
      "INSERT INTO click_arrivals (id, project_id, quarter, clicks) VALUES ('arr_' || CAST($2 AS TEXT), $1, CAST($2 AS INTEGER), 1)";
    await run(insert, projectId, quarter);
    await run(insert, other, quarter + 96);
    await purge();
    expect(await left()).to.deep.equal(kept.sort());
    await emptyBacklog();
    await purge();
    expect(await left()).to.deep.equal([]);
  });

  it('deletes requests for unknown slugs of that age too', async () => {
    const insert = orphanInserter();
    const orphan = (daysOld: number) => ({
      id: idAt('orp', NOW - daysOld * DAY_MS),
      projectId,
      domain: 'go.example.com',
      slug: 'nothing',
      occurredAt: NOW - daysOld * DAY_MS,
      trafficClass: 'human',
      country: null,
      region: null,
      city: null,
      platform: 'ios',
      device: 'mobile',
      browser: null,
      language: null,
      referrerHost: null,
      visitor: 'visitor-1',
      count: 1,
    });
    const kept = orphan(9);
    await insert([...Array.from({ length: 700 }, () => orphan(11)), kept]);
    while (await purgeOrphans(500));
    expect(await query('SELECT id FROM orphans')).to.deep.equal([{ id: kept.id }]);
  });
});
