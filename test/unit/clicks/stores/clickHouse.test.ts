// stores: each
import path from 'node:path';
import { expect } from 'chai';
import { readFigures } from '../../../../src/analytics/readFigures.ts';
import { clickStore } from '../../../../src/clicks/chosenStore.ts';
import { type Click, encodeClick } from '../../../../src/clicks/click.ts';
import { closeClickHouse } from '../../../../src/clicks/clickhouse/connection.ts';
import { moveClicks } from '../../../../src/clicks/clickhouse/moveClicks.ts';
import { moveQueued } from '../../../../src/clicks/clickhouse/queueStore.ts';
import { storeClicks } from '../../../../src/clicks/clickStore.ts';
import { collectTraffic } from '../../../../src/clicks/collectTraffic.ts';
import { startDrain } from '../../../../src/clicks/drain.ts';
import { openJournal } from '../../../../src/clicks/journal.ts';
import { clicksOf, foldLinkCounts } from '../../../../src/clicks/linkCountStore.ts';
import { dialect } from '../../../../src/db/connection/database.ts';
import { query } from '../../../../src/db/query.ts';
import { isStoreDown } from '../../../../src/db/storeFailures.ts';
import { inTransaction } from '../../../../src/db/transactions.ts';
import { config } from '../../../../src/kernel/config.ts';
import { newId } from '../../../../src/kernel/ids.ts';
import { type ClickHouse, hasEngine, startClickHouse } from '../../../support/clickHouse.ts';
import { makeClick, makeLink, makeProject } from '../../../support/clicks.ts';
import { standStill } from '../../../support/standStill.ts';
import { type OpenStore, openStore } from '../../../support/store.ts';
import { until } from '../../../support/until.ts';

const EVERYBODY = () => true;
const NOBODY = () => false;
const NOON = Date.parse('2026-11-01T12:00:00.000Z');
/** A port on which nothing listens. */
const NOWHERE = 'clickhouse://127.0.0.1:9/default';

describe('clicks in ClickHouse', function () {
  this.timeout(60_000);
  let store: OpenStore;
  let clickHouse: ClickHouse;
  let projectId: string;
  let linkId: string;

  const use = async (url: string | null) => {
    await closeClickHouse();
    config.clicksUrl = url;
  };
  const click = (values: Partial<Click> = {}) => makeClick({ projectId, linkId, ...values });
  const placeOf = (clicks: Click[], from = 0) => ({
    segment: clicks[0]?.id as string,
    lines: clicks.map((_, at) => from + at),
    end: from + clicks.length,
  });
  const figures = async (trafficClass: string | null = null) => {
    const range = { start: NOON - 86_400_000, end: NOON + 86_400_000 };
    const groupings = [{ groupBy: 'none' as const, starts: [], trafficClass }];
    const [found] = await readFigures({ projectId, event: 'click', range, filters: [], groupings });
    return found?.total;
  };
  const counted = async () => {
    await foldLinkCounts();
    return clicksOf(linkId);
  };
  const rowsOf = async (table: string) => {
    const [row] = await query<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table} WHERE project_id = :projectId`, {
      projectId,
    });
    return Number(row?.n);
  };

  before(async function () {
    if (!hasEngine()) this.skip();
    clickHouse = await startClickHouse();
    store = await openStore();
    config.clicksCluster = clickHouse.cluster;
  });
  beforeEach(async () => {
    await use(clickHouse.url);
    projectId = (await makeProject()).id;
    linkId = (await makeLink(projectId)).id;
  });
  after(async () => {
    await use(null);
    await clickHouse?.stop();
    await store?.close();
  });

  it('counts a chunk once, however often it comes, and a copy of its segment too', async () => {
    const clicks = [click(), click({ visitor: 'another' }), click({ trafficClass: 'bot', trafficReason: 'bot' })];
    expect(await clickStore().storeChunk(clicks, NOBODY, placeOf(clicks))).to.equal(3);
    expect(await clickStore().storeChunk(clicks, NOBODY, placeOf(clicks))).to.equal(0);
    expect([await figures(), await counted(), await rowsOf('match_clicks')]).to.deep.equal([
      { count: 3, unique: 2 },
      2,
      await rowsOf('match_clicks'),
    ]);
    expect(await rowsOf('clicks')).to.equal(0);
  });

  it('counts what is new of a longer chunk, and knows what was counted', async () => {
    const clicks = Array.from({ length: 5 }, () => click());
    await clickStore().storeChunk(clicks.slice(0, 3), NOBODY, placeOf(clicks.slice(0, 3)));
    expect(await clickStore().storeChunk(clicks, NOBODY, placeOf(clicks))).to.equal(2);
    expect([await counted(), (await figures())?.count]).to.deep.equal([5, 5]);
    const more = [...clicks, click()];
    const stored = await clickStore().storedAmong(more, placeOf(more));
    expect([...stored].sort()).to.deep.equal(clicks.map(({ id }) => id).sort());
  });

  it('loses and doubles nothing when ClickHouse is away in between, which counts as a store that is down', async () => {
    const clicks = [click(), click()];
    await use(NOWHERE);
    const error = await clickStore()
      .storeChunk(clicks, EVERYBODY, placeOf(clicks))
      .catch((thrown: Error) => thrown);
    expect(isStoreDown(error), String(error)).to.equal(true);
    expect((error as Error).message).to.match(/^ClickHouse, which has the clicks, cannot be used at the moment: /);
    expect(isStoreDown(await figures().catch((thrown) => thrown))).to.equal(true);
    await use(clickHouse.url);
    await clickStore().storeChunk(clicks, EVERYBODY, placeOf(clicks));
    expect([await counted(), (await figures())?.count]).to.deep.equal([2, 2]);
    expect([await collectTraffic(), await collectTraffic()]).to.deep.equal([2, 0]);
  });

  it('counts the others of a chunk in which the store refuses one', async () => {
    const folder = path.join(store.dataDir, 'refused');
    const journal = await openJournal({ folder, maxBytes: 1e8, sync: false });
    // PostgreSQL has no text with this character; SQLite takes it.
    const clicks = [click(), click(), click({ linkId: 'a\u0000b' }), click(), click()];
    await Promise.all(clicks.map((one) => journal.append(encodeClick(one))));
    const drain = startDrain({ journal, everyMs: 3_600_000, folder });
    await drain.drainNow();
    expect(journal.bytes()).to.equal(0);
    await drain.stop();
    await journal.close();
    expect(await counted()).to.equal(4);
    expect((await figures())?.count).to.equal(dialect() === 'postgres' ? 4 : 5);
  });

  it('gives up soon on a server that hangs', async () => {
    await figures();
    clickHouse.freeze();
    // Where every core is at work, its threads stop a moment later.
    await new Promise((resolve) => setTimeout(resolve, 500));
    try {
      const begun = performance.now();
      const error = await figures().catch((thrown) => thrown);
      expect(isStoreDown(error), String(error)).to.equal(true);
      expect(performance.now() - begun).to.be.below(8000);
      const again = performance.now();
      expect(isStoreDown(await figures().catch((thrown) => thrown))).to.equal(true);
      expect(performance.now() - again, 'nobody waits for it again').to.be.below(1500);
    } finally {
      clickHouse.cont();
    }
    // It is noticed that it is back.
    await until(async () => (await figures().catch(() => null))?.count === 0, 'the figures');
  });

  it('does not take its own standstill for one of the server', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const asked = figures();
    // Until the question and the ping are on their way.
    await new Promise((resolve) => setTimeout(resolve, 2));
    standStill(3000);
    expect((await asked)?.count).to.equal(0);
  });

  it('makes an event of each click that is waited for, with the class that it has by then', async () => {
    const clicks = [click(), click(), click({ trafficClass: 'prefetch', trafficReason: 'prefetch' })];
    await clickStore().storeChunk(clicks, EVERYBODY, placeOf(clicks));
    const [first] = clicks as [Click];
    await clickStore().reclass([first]);
    expect(await collectTraffic()).to.equal(2);
    const events = await query<{ id: string; traffic_class: string }>(
      'SELECT id, traffic_class FROM events WHERE project_id = :projectId ORDER BY traffic_class',
      { projectId },
    );
    expect(events.map((event) => event.traffic_class)).to.deep.equal(['human', 'scanner']);
    expect(events[1]?.id.slice(4)).to.equal(first.id.slice(4));
  });

  it('re-classes clicks of a burst once, with all their counts', async () => {
    const clicks = [click(), click(), click({ trafficClass: 'bot', trafficReason: 'bot' })];
    await clickStore().storeChunk(clicks, NOBODY, placeOf(clicks));
    await foldLinkCounts();
    const some = [clicks[0] as Click, clicks[2] as Click];
    expect(await clickStore().reclass(some)).to.equal(1);
    expect(await clickStore().reclass(some)).to.equal(0);
    const classes = [await figures('human'), await figures('scanner'), await figures('bot')].map((one) => one?.count);
    expect([classes, await counted()]).to.deep.equal([[1, 1, 1], 1]);
    // A chunk that comes again does not bring the class back.
    await clickStore().storeChunk(clicks, NOBODY, placeOf(clicks));
    expect((await figures('human'))?.count).to.equal(1);
  });

  it('keeps clicks of openings in the store until ClickHouse has them', async () => {
    const clicks = [click({ rule: 'app_link' })];
    await use(NOWHERE);
    await inTransaction((transaction) => clickStore().write(clicks, EVERYBODY, transaction, new Set()));
    await inTransaction((transaction) => clickStore().write(clicks, EVERYBODY, transaction, new Set()));
    expect(await counted()).to.equal(1);
    expect(await moveQueued().catch((error) => isStoreDown(error))).to.equal(true);
    await use(clickHouse.url);
    await moveQueued();
    await moveQueued();
    expect((await figures())?.count).to.equal(1);
    expect(await collectTraffic()).to.equal(1);
    expect(await rowsOf('click_queue')).to.equal(0);
  });

  it('goes on without the origin of a click while ClickHouse is away', async () => {
    const mine = click({ referrerHost: 't.co' });
    await clickStore().storeChunk([mine], NOBODY, placeOf([mine]));
    const origins = () =>
      inTransaction((transaction) => clickStore().readOrigins([mine.id, newId('clk')], [projectId], transaction));
    expect((await origins()).map(({ referrerHost }) => referrerHost)).to.deep.equal(['t.co']);
    await use(NOWHERE);
    expect(await origins()).to.deep.equal([]);
  });

  it('takes over the clicks of the store, in any number of tries', async () => {
    const before = Array.from({ length: 20 }, () => click({ utm: { source: "o'n", medium: null }, tagIds: ['tag_1'] }));
    await use(null);
    await storeClicks(before, { listening: EVERYBODY });
    const [there, count] = [await figures(), await counted()];
    await use(clickHouse.url);
    const { read, found } = await moveClicks('', () => {});
    expect(read).to.be.least(20);
    expect(found).to.equal(read);
    expect((await moveClicks(before.map(({ id }) => id).sort()[9] as string, () => {})).read).to.equal(10);
    expect(await figures()).to.deep.equal(there);
    expect(await counted()).to.equal(count);
    // Their events are made as if they had stayed.
    expect(await collectTraffic()).to.equal(20);
  });

  it('forgets the clicks of a project, and of no other', async () => {
    const other = await makeProject();
    const [mine, theirs] = [click(), makeClick({ projectId: other.id })];
    await clickStore().storeChunk([mine], NOBODY, placeOf([mine]));
    await clickStore().storeChunk([theirs], NOBODY, placeOf([theirs]));
    expect(await clickStore().hasClicksOutside(projectId)).to.equal(true);
    await clickStore().forgetProject(projectId);
    const left = async () => [
      await clickStore().hasClicksOutside(projectId),
      await clickStore().hasClicksOutside(other.id),
    ];
    for (let tries = 0; (await left())[0] && tries < 50; tries += 1) await new Promise((go) => setTimeout(go, 200));
    expect(await left()).to.deep.equal([false, true]);
  });
});
