import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { until } from '../../../../test/support/until.ts';
import { LINK_HOST } from '../Installation.ts';
import type { Play, Stage } from '../Play.ts';

const SECONDS = 25;
const CHANGE_MS = 700;
const CUT_MS = 1000;
const SEEN_MS = 60_000;
const CLOCK_SECONDS = 5;

/** Cuts every connection on which processes listen, again and again, while links are changed. */
async function cutListeners(stage: Stage): Promise<string> {
  const client = await stage.installation.store.connect();
  let cut = 0;
  const timer = setInterval(async () => {
    const cuts = await client.query(CUT_LISTENERS).catch(() => ({ rowCount: 0 }));
    cut += cuts.rowCount ?? 0;
  }, CUT_MS);
  try {
    return `${await changeLinks(stage)}; ${cut} listening connections cut meanwhile`;
  } finally {
    clearInterval(timer);
    await client.end();
  }
}

const CUT_LISTENERS =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'svc-%-listen'";

/** Changes one link all the time, and asks each redirect process until it follows the change. */
async function changeLinks({ installation, ledger }: Stage): Promise<string> {
  const { customers } = installation;
  const { id, slug } = await customers.call('POST', '/links', { destination: 'https://www.example.com/unchanged' });
  const endMs = Date.now() + SECONDS * 1000;
  let worstMs = 0;
  let changes = 0;
  for (; Date.now() < endMs; changes += 1) {
    const destination = `https://www.example.com/changed/${ledger.play}/${changes}`;
    await customers.call('PATCH', `/links/${id}`, { destination });
    const changedAt = performance.now();
    const seen = installation.of('redirect').map(async ({ name, origin }) => {
      await until(async () => (await locationOf(origin, slug)) === destination, `${name} to see a change`, SEEN_MS);
      worstMs = Math.max(worstMs, performance.now() - changedAt);
    });
    await Promise.all(seen);
    await delay(CHANGE_MS);
  }
  return `${changes} changes seen by all redirect processes, the slowest after ${Math.round(worstMs)} ms`;
}

async function locationOf(origin: string, slug: string): Promise<unknown> {
  const { headers, body } = await request(`${origin}/${slug}`, { headers: { host: LINK_HOST } });
  await body.dump();
  return headers.location;
}

export const ANNOUNCEMENTS: Play[] = [
  { name: 'notify', about: 'listening connections cut each second', run: cutListeners },
];

export const CLOCKS: Play[] = [
  {
    name: 'clocks',
    about: `clocks of every second process ${CLOCK_SECONDS} s ahead`,
    needs: { clockSeconds: CLOCK_SECONDS },
    failsNothing: true,
    run: changeLinks,
  },
];
