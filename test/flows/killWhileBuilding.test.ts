// plays, stores: each
import { mkdir, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { type Click, encodeClick } from '../../src/clicks/click.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { apiOf } from '../support/api.ts';
import { askStore, storedClicks } from '../support/askStore.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { makeClick } from '../support/clicks.ts';
import { inProcess } from '../support/inProcess.ts';
import { makeStore, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';

/** In turns, the process is killed while clicks are drained, and while they are put into blocks. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 2);
const PER_ROUND = 5000;
const COUNTRIES = ['DE', 'AT', 'CH', 'FR', null];
const DAYS = 4;
/** Clicks that are not in blocks yet. */
const ARRIVALS = 'click_arrivals';

describe('kill -9 while clicks are drained and put into blocks', () => {
  let store: Store;
  let child: Child;

  after(async () => {
    await child?.kill();
    await store?.remove();
  });

  it(`has each click once in the store and in analytics, after ${ROUNDS} times`, async function () {
    this.timeout(600_000);
    store = await makeStore();
    const port = await freePort();
    const env = {
      ...store.env,
      BLOCK_BUILD_SECONDS: '1',
      CLICK_DRAIN_MILLISECONDS: '100',
      RATE_LIMIT_PER_MINUTE: '100000',
    };
    const { link, key } = await inProcess(store, { ...env, PORT: String(port) }, async (product) => {
      const first = apiOf(product.origin, product.secretKey);
      const made = await first('POST', '/links', { destination: 'https://example.com/', slug: 'load' });
      return { link: made.body, key: product.secretKey };
    });
    const api = apiOf(`http://127.0.0.1:${port}`, key);

    const firstDay = Math.floor(Date.now() / DAY_MS) - DAYS;
    const all: Click[] = [];
    const kills: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const values = { projectId: link.project_id, linkId: link.id, slug: 'load' };
      // Some of the round before once more, as if the process had died between the store and the removal of the segment.
      const clicks = makeClicks(round, firstDay, values);
      await leaveInJournal(store, round, [...all.slice(-500), ...clicks]);
      all.push(...clicks);
      const before = { stored: await storedClicks(store), blocks: await countOf(store, 'click_blocks') };
      child = await startChild(port, env);
      await (round % 2 === 0 ? beginningOfDrain(store, before) : beginningOfBlocks(store, before));
      await child.kill();
      kills.push(
        `${await storedClicks(store)} of ${all.length} stored, ${await countOf(store, ARRIVALS)} not in blocks`,
      );
    }
    child = await startChild(port, env);
    const what = `(killed with ${kills.join('; ')})`;
    await until(async () => (await storedClicks(store)) >= all.length, `all clicks ${what}`, 60_000);
    await until(async () => (await countOf(store, ARRIVALS)) === 0, `all blocks ${what}`, 60_000);
    const daysCounted = "(SELECT DISTINCT day FROM click_totals WHERE dimension = 'none') AS days";
    await until(async () => (await countOf(store, daysCounted)) === DAYS, `all days ${what}`, 60_000);

    // Counts of a flood reach their links a little after its clicks.
    const shownClicks = async () => (await api('GET', '/links')).body.data[0].clicks;
    await until(async () => (await shownClicks()) === all.length, `all clicks on the link ${what}`, 30_000);

    expect(await storedClicks(store), what).to.equal(all.length);
    const span = `start=${dayOf(firstDay)}T00:00:00Z&end=${dayOf(firstDay + DAYS)}T00:00:00Z`;
    const byDay = (await api('GET', `/analytics?group_by=time&granularity=day&${span}`)).body;
    const byCountry = (await api('GET', `/analytics?group_by=country&${span}`)).body;
    const bySlice = (await api('GET', `/analytics?group_by=time&granularity=hour&${span}`)).body;
    const total = expected(all, () => 'all').get('all');
    expect(shown(byDay.data.map(withDay)), what).to.deep.equal(
      expected(all, ({ occurredAt }) => dayOf(occurredAt / DAY_MS)),
    );
    expect(shown(byCountry.data), what).to.deep.equal(expected(all, ({ country }) => String(country)));
    for (const { total: said } of [byDay, byCountry]) expect([said.count, said.unique], what).to.deep.equal(total);
    expect(bySlice.data.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).to.equal(all.length);
  });
});

/** Clicks over all the days, by visitors of whom some come again in later rounds. */
function makeClicks(round: number, firstDay: number, values: Pick<Click, 'projectId' | 'linkId' | 'slug'>): Click[] {
  return Array.from({ length: PER_ROUND }, (_, at) => {
    const day = firstDay + (at % DAYS);
    const who = (at * 7 + round * 1000) % 5000;
    const occurredAt = day * DAY_MS + ((at * 7919 + round * 104_729) % 86_400) * 1000;
    const country = COUNTRIES[who % COUNTRIES.length] as string | null;
    return makeClick({ ...values, occurredAt, country, visitor: `visitor-${day}-${who}` });
  });
}

async function leaveInJournal(store: Store, round: number, clicks: Click[]): Promise<void> {
  const folder = `${store.dataDir}/clicks`;
  await mkdir(folder, { recursive: true });
  // Far from the numbers that the process takes itself.
  const name = `${String((round + 1) * 1_000_000).padStart(10, '0')}.log`;
  await writeFile(`${folder}/${name}`, `${clicks.map(encodeClick).join('\n')}\n`);
}

interface Before {
  stored: number;
  blocks: number;
}

async function beginningOfDrain(store: Store, { stored }: Before): Promise<void> {
  await until(async () => (await storedClicks(store)) > stored, 'the first clicks in the store');
}

/** As soon as some clicks are in blocks: a project and day after the other. */
async function beginningOfBlocks(store: Store, { blocks }: Before): Promise<void> {
  await until(async () => (await countOf(store, 'click_blocks')) !== blocks, 'the first blocks');
}

async function countOf(store: Store, from: string): Promise<number> {
  const [row] = await askStore<{ count: string | number }>(store, `SELECT COUNT(*) AS count FROM ${from}`);
  return Number(row?.count);
}

type Counts = Map<string, [count: number, unique: number]>;

function expected(clicks: Click[], keyOf: (click: Click) => string): Counts {
  const visitors = new Map<string, string[]>();
  for (const click of clicks) {
    const key = keyOf(click);
    const list = visitors.get(key);
    if (list) list.push(click.visitor);
    else visitors.set(key, [click.visitor]);
  }
  return new Map([...visitors].sort().map(([key, list]) => [key, [list.length, new Set(list).size]]));
}

interface Row {
  key: string | null;
  count: number;
  unique: number;
}

function shown(rows: Row[]): Counts {
  return new Map(
    rows.map(({ key, count, unique }): [string, [number, number]] => [String(key), [count, unique]]).sort(),
  );
}

function withDay(row: Row): Row {
  return { ...row, key: String(row.key).slice(0, 10) };
}

function dayOf(day: number): string {
  return new Date(Math.floor(day) * DAY_MS).toISOString().slice(0, 10);
}
