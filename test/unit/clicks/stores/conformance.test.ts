// stores: each
import { expect } from 'chai';
import type { AnalyticsPass, Filter, Grouping } from '../../../../src/analytics/AnalyticsQuery.ts';
import { bucketStarts } from '../../../../src/analytics/bucketStarts.ts';
import { readFigures } from '../../../../src/analytics/readFigures.ts';
import { firstEventAt } from '../../../../src/analytics/readRange.ts';
import { topRows } from '../../../../src/analytics/topRows.ts';
import { readDays } from '../../../../src/anomalies/readDays.ts';
import { clickStore } from '../../../../src/clicks/chosenStore.ts';
import type { Click } from '../../../../src/clicks/click.ts';
import { closeClickHouse } from '../../../../src/clicks/clickhouse/connection.ts';
import { DIMENSION_NAMES } from '../../../../src/clicks/dimensions.ts';
import type { KeysetPosition } from '../../../../src/db/paging.ts';
import { inTransaction } from '../../../../src/db/transactions.ts';
import { countContents } from '../../../../src/deletion/contents.ts';
import { DAY_MS } from '../../../../src/kernel/clock.ts';
import { config } from '../../../../src/kernel/config.ts';
import { type ClickHouse, hasEngine, startClickHouse } from '../../../support/clickHouse.ts';
import { sampleClicks } from '../../../support/clickSample.ts';
import { makeLink, makeProject } from '../../../support/clicks.ts';
import { type OpenStore, openStore } from '../../../support/store.ts';

const FROM = Date.parse('2026-10-24T00:00:00.000Z');
const RANGE = { start: FROM + 3_600_000, end: FROM + 4 * DAY_MS + 7_200_000 };
const NOBODY = () => false;
const TAGS = ['tag_01kaaaaaaaaaaaaaaaaaaaaaaa', 'tag_01kaaaaaaaaaaaaaaaaaaaaaab'];

describe('the stores of clicks answer alike', function () {
  this.timeout(120_000);
  let store: OpenStore;
  let clickHouse: ClickHouse;
  let projectId: string;
  let links: { id: string; slug: string }[];
  let clicks: Click[];

  /** What both stores return. */
  const both = async <Answer>(ask: () => Promise<Answer>): Promise<[builtIn: Answer, clickHouse: Answer]> => {
    config.clicksUrl = null;
    const builtIn = await ask();
    config.clicksUrl = clickHouse.url;
    return [builtIn, await ask().finally(() => (config.clicksUrl = null))];
  };
  const alike = async (ask: () => Promise<unknown>, what: string) => {
    const [builtIn, other] = await both(ask);
    expect(other, what).to.deep.equal(builtIn);
    return builtIn;
  };

  before(async function () {
    if (!hasEngine()) this.skip();
    clickHouse = await startClickHouse();
    store = await openStore();
    config.clicksCluster = clickHouse.cluster;
    projectId = (await makeProject()).id;
    links = [await makeLink(projectId), await makeLink(projectId), await makeLink(projectId)];
    clicks = sampleClicks({ projectId, links, tagIds: TAGS, fromMs: FROM, days: 5, count: 1500 });
    const place = { segment: clicks[0]?.id as string, lines: clicks.map((_, at) => at), end: clicks.length };
    await both(() => clickStore().storeChunk(clicks, NOBODY, place));
  });
  after(async () => {
    await closeClickHouse();
    await clickHouse?.stop();
    await store?.close();
  });

  const figures = async (
    groupBy: Grouping['groupBy'],
    filters: Filter[] = [],
    more: Partial<Grouping> = {},
    range = RANGE,
  ) => {
    const grouping = { groupBy, starts: [], trafficClass: null, ...more };
    const pass: AnalyticsPass = { projectId, event: 'click', range, filters, groupings: [grouping] };
    const [found] = await readFigures(pass);
    if (!found) throw new Error('no figures');
    if (['none', 'time', 'link_series'].includes(groupBy))
      return { total: found.total, cells: found.cells.sort(([a], [b]) => a - b) };
    const { rows, others } = await topRows({ ...pass, ...grouping }, found, 3);
    return { total: found.total, rows: rows.map(({ key, count, unique }) => ({ key, count, unique })), others };
  };

  it('in every dimension, for each class', async () => {
    for (const groupBy of [...DIMENSION_NAMES, 'traffic_class', 'none', 'event_name'] as const) {
      for (const trafficClass of [null, 'human', 'prefetch'])
        await alike(() => figures(groupBy, [], { trafficClass }), `${groupBy} ${trafficClass}`);
    }
  });

  it('with filters, excluding ones, several, and ones that no click has a key for', async () => {
    const filter = (dimension: Filter['dimension'], keys: string[], isExcluding = false) => ({
      dimension,
      keys,
      isExcluding,
    });
    const cases: Filter[][] = [
      [filter('country', ['DE', 'AT'])],
      [filter('country', ['DE'], true)],
      [filter('city', ["L'Aquila"])],
      [filter('destination', ['https://example.com/?q=\\"b\\"'])],
      [filter('tag', [TAGS[0] as string])],
      [filter('tag', [TAGS[0] as string], true)],
      [filter('traffic_class', ['human', 'bot'])],
      [filter('utm_source', ['news']), filter('platform', ['ios'], true)],
      [filter('link', [links[0]?.id as string])],
      [filter('country', ['XX'])],
      [filter('country', ['XX'], true)],
      [filter('event_name', ['purchase'])],
      [filter('event_name', ['purchase'], true)],
    ];
    for (const filters of cases)
      for (const groupBy of ['none', 'tag', 'country', 'traffic_class'] as const)
        await alike(() => figures(groupBy, filters), `${groupBy} ${JSON.stringify(filters)}`);
  });

  it('by time in every granularity, over a change of the clock, and by link and time', async () => {
    for (const [granularity, timezone] of [
      ['hour', 'UTC'],
      ['day', 'Europe/Vienna'],
      ['day', 'Asia/Kathmandu'],
      ['week', 'UTC'],
      ['month', 'America/New_York'],
    ] as const) {
      const starts = bucketStarts(RANGE, granularity, timezone);
      await alike(() => figures('time', [], { starts, trafficClass: 'human' }), `${granularity} ${timezone}`);
      const ids = [links[2]?.id as string, links[0]?.id as string];
      const filters: Filter[] = [{ dimension: 'link', keys: ids, isExcluding: false }];
      await alike(() => figures('link_series', filters, { starts, links: ids }), `links ${granularity} ${timezone}`);
    }
  });

  it('where there is nothing', async () => {
    const range = { start: FROM - 9 * DAY_MS, end: FROM - DAY_MS };
    for (const groupBy of ['none', 'country', 'tag', 'time'] as const)
      await alike(() => figures(groupBy, [], groupBy === 'time' ? { starts: [range.start] } : {}, range), groupBy);
  });

  const pages = async (
    tests: { dimension: 'country' | 'traffic_class' | 'link'; keys: string[]; isExcluding: boolean }[],
  ) => {
    const search = { projectId, fromMs: RANGE.start, toMs: RANGE.end, tests };
    const found: object[] = [];
    for (let after: KeysetPosition | null = null; ; ) {
      const { rows, end } = await clickStore().search(search, after, 200);
      found.push(...rows.map((row) => pickShown(row)));
      const last = rows.at(-1);
      if (end === null && (!last || rows.length < 200)) return found;
      after = end ?? (last ? { value: last.value, id: last.id } : null);
    }
  };

  it('in lists, page by page', async () => {
    const all = await alike(() => pages([]), 'all');
    expect(all).to.have.length.greaterThan(1000);
    for (const isExcluding of [false, true]) {
      await alike(() => pages([{ dimension: 'country', keys: ['DE'], isExcluding }]), 'country');
      await alike(() => pages([{ dimension: 'traffic_class', keys: ['bot', 'scanner'], isExcluding }]), 'class');
    }
  });

  it('for watching traffic, the start of a range and what a deletion tells', async () => {
    const [first, last] = [FROM / DAY_MS, FROM / DAY_MS + 4];
    await alike(async () => [...(await readDays(projectId, first, last))].sort(([a], [b]) => a - b), 'hours of days');
    const quarter = async () => Math.floor((await firstEventAt(projectId)) / 900_000);
    await alike(quarter, 'the first quarter of an hour');
    await alike(async () => (await countContents([projectId])).clicks, 'clicks');
  });

  it('for archives, live streams, bursts and openings of apps', async () => {
    const archived = async () => {
      const rows: object[] = [];
      for (let after: KeysetPosition | null = null; ; ) {
        const page = await clickStore().readArchived(projectId, after, 400);
        rows.push(...page.rows.map(({ utm, ...row }) => ({ ...row, utm: knownUtm(utm as Click['utm']) })));
        if (!page.last) return rows;
        after = page.last;
      }
    };
    expect(await alike(archived, 'archive')).to.have.length(clicks.length);
    const ids = clicks.slice(0, 30).map(({ id }) => id);
    await alike(async () => (await clickStore().newestIds(projectId, FROM + DAY_MS, 50)).join(), 'newest');
    await alike(async () => (await clickStore().read(projectId, ids)).map(asRead), 'read');
    await alike(
      async () =>
        inTransaction(async (transaction) =>
          (await clickStore().readOrigins(ids, [projectId], transaction))
            .map(({ utm, ...origin }) => ({ ...origin, utm: knownUtm(utm) }))
            .sort(byId),
        ),
      'origins',
    );
    for (const which of ['human', 'observed'] as const)
      for (const addressHashes of [null, ['address-3', 'address-4']])
        await alike(
          async () =>
            (
              await clickStore().readAddresses({
                projectIds: [projectId],
                span: { fromMs: FROM, toMs: FROM + 3 * DAY_MS },
                addressHashes,
                which,
                order: 'oldest',
                most: 5000,
              })
            ).sort(byId),
          which,
        );
  });
});

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}

/** Names without a value are the same as names that are missing. */
function knownUtm(utm: Click['utm'] | string): object | null {
  const values = Object.entries((typeof utm === 'string' ? JSON.parse(utm) : utm) ?? {}).filter(([, value]) => value);
  return values.length > 0 ? Object.fromEntries(values) : null;
}

function asRead(row: { occurred_at: string | Date; utm: unknown }): object {
  return { ...row, occurred_at: new Date(row.occurred_at).getTime(), utm: knownUtm(row.utm as Click['utm']) };
}

const SHOWN = ['id', 'linkId', 'domain', 'slug', 'trafficClass', 'trafficReason', 'country', 'browser', 'visitor'];

function pickShown(row: object): object {
  return Object.fromEntries(SHOWN.map((name) => [name, (row as Record<string, unknown>)[name]]));
}
