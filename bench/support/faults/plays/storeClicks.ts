import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../../../test/support/until.ts';
import { askClicks } from '../askClicks.ts';
import { catchJobs, killWorkers, LOOK_MS, TAKEOVER_MS, untilTakenOver } from '../catchJobs.ts';
import type { Installation } from '../Installation.ts';
import type { Play, Stage } from '../Play.ts';
import { WAYS } from '../Receiver.ts';

const KILLS = 5;
const HUNT_MS = 300_000;
/** Between two apps that are opened: there is always something to move. */
const OPEN_MS = 50;
const DESTINATION = 'https://www.example.com/opened';
const HUNTED: ReadonlySet<string> = new Set(['storeClicks']);

interface Openings {
  link: { id: string; short_url: string };
  answered: number;
  failed: number;
  stop(): Promise<void>;
}

/** Kills all workers in an instant while clicks of apps that were opened are on their way to ClickHouse. */
async function killWhileMoving({ installation }: Stage): Promise<string> {
  const openings = await startOpenings(installation);
  const client = await installation.store.connect();
  const dead = new Set<string>();
  const endMs = Date.now() + HUNT_MS;
  let [kills, waiting] = [0, 0];
  try {
    while (kills < KILLS) {
      if (Date.now() > endMs) throw new Error(`storeClicks was active only ${kills} times`);
      const caught = await catchJobs(client, installation, HUNTED, dead);
      if (caught.length === 0) {
        await delay(LOOK_MS);
        continue;
      }
      kills += 1;
      for (const { attempt } of caught) dead.add(attempt);
      waiting += Number((await client.query(QUEUED)).rows[0].count);
      await killWorkers(installation);
    }
    await openings.stop();
    await untilTakenOver(client, dead);
    const isMoved = async () => Number((await client.query(QUEUED)).rows[0].count) === 0;
    await until(isMoved, 'clicks to be in ClickHouse', TAKEOVER_MS);
  } finally {
    await openings.stop();
    await client.end();
  }
  const opened = await untilCounted(installation, openings);
  return `${kills} times both workers killed in storeClicks, with ${waiting} clicks waiting; each of ${opened} clicks of apps counted once`;
}

async function startOpenings({ customers }: Installation): Promise<Openings> {
  const link = await customers.call('POST', '/links', { destination: DESTINATION });
  const first = await customers.open(link.short_url, randomUUID());
  if (first.status !== 200 || JSON.parse(first.body).match.method !== 'link')
    throw new Error(`An app was opened with ${first.kind}: ${first.body}`);
  let isStopped = false;
  const openings: Openings = {
    ...{ link, answered: 1, failed: 0 },
    async stop() {
      isStopped = true;
      await ended;
    },
  };
  const ended = (async () => {
    for (; !isStopped; await delay(OPEN_MS)) {
      const { status } = await customers.open(link.short_url, randomUUID());
      if (status === 200) openings.answered += 1;
      else openings.failed += 1;
    }
  })();
  return openings;
}

/** Until ClickHouse, the link, the events and both webhooks have all clicks. Throws when one of them has more, or never gets there. */
async function untilCounted(installation: Installation, { link, answered, failed }: Openings): Promise<number> {
  const { store, receiver, customers, clickHouse } = installation;
  const counts = async () => {
    const [there] = await askClicks(String(clickHouse?.url), THERE, link.id);
    const [events] = await store.ask(EVENTS, [link.id]);
    const { clicks } = await customers.call('GET', `/links/${link.id}`);
    // A click of an app has no referrer.
    const told = WAYS.map((way) => receiver.told[way].get('null')?.size ?? 0);
    return [Number(there.count), Number(there.ids), Number(events.count), clicks, ...told];
  };
  let found: number[] = [];
  const isEverywhere = async () => {
    found = await counts();
    return new Set(found).size === 1 && Number(found[0]) >= answered;
  };
  const expected = `${answered} clicks of apps, and at most ${failed} more that were not answered`;
  await until(isEverywhere, 'clicks of apps', TAKEOVER_MS).catch(() => {
    throw new Error(`${expected}: ClickHouse (rows, ids), events, link and webhooks have ${found}`);
  });
  if (Number(found[0]) > answered + failed) throw new Error(`${expected}: there are ${found}`);
  return Number(found[0]);
}

const QUEUED = "SELECT COUNT(*) AS count FROM click_queue WHERE purpose = 'store'";
const THERE = 'SELECT count() AS count, uniqExact(id) AS ids FROM clicks FINAL WHERE link_id = {value:String}';
const EVENTS = "SELECT COUNT(*) AS count FROM events WHERE type = 'link.clicked' AND link_id = $1";

export const STORE_CLICKS: Play[] = [
  {
    name: 'storeClicks',
    about: 'both workers killed while clicks of opened apps go to ClickHouse',
    needs: { hasClickHouse: true },
    run: killWhileMoving,
  },
];
