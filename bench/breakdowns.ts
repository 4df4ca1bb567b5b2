import type { KeyPrincipal } from '../src/access/principal.ts';
import { type Group, readAnalytics, readBreakdowns } from '../src/analytics/analyticsService.ts';
import { buildBlocks } from '../src/analytics/columns/buildBlocks.ts';
import { storeClicks } from '../src/clicks/clickStore.ts';
import { clock } from '../src/kernel/clock.ts';
import { newId } from '../src/kernel/ids.ts';
import type { Project } from '../src/models/Project.ts';
import { makeProject } from '../test/support/clicks.ts';
import type { BenchLink } from './support/benchLinks.ts';
import { clickStream } from './support/clickStream.ts';
import { withOpenStore } from './support/loadedStore.ts';
import { makeStore, option, print } from './support/product.ts';
import { short, timeRounds } from './support/timings.ts';

/**
 * What the cards of an analytics page cost: one grouping, all groupings in one pass, and as many questions at once, with the clicks in
 * blocks and with the clicks in the open quarter of an hour, which are in no block yet.
 *
 *   npm run bench -- breakdowns [store=sqlite|postgres] [clicks=60000] [rounds=20]
 */
const clicks = Number(option('clicks', '60000'));
const rounds = Number(option('rounds', '20'));
const onlyStore = option('store', '');

const NOW = Date.parse('2026-11-18T14:10:00Z');
const QUARTER = Date.parse('2026-11-18T14:00:00Z');
const MINUTE_MS = 60_000;
const LINKS = 500;
const STORED_AT_ONCE = 2000;
/** Cuts days, so that no totals of days answer. */
const RANGE = { start: new Date(NOW - 20 * 60 * MINUTE_MS), end: new Date(NOW) };
const CARDS = [
  'country',
  'region',
  'city',
  'link',
  'referrer_host',
  'platform',
  'device',
  'browser',
  'language',
  'tag',
  'domain',
  'destination',
  'rule',
  'utm_source',
  'traffic_class',
] as const satisfies Group[];

for (const name of ['sqlite', 'postgres'].filter((one) => !onlyStore || one === onlyStore)) {
  const store = await makeStore(name, 'svc_bench_breakdowns');
  try {
    await withOpenStore(store, () => measureStore(name));
  } finally {
    clock.reset();
    await store.remove();
  }
}

async function measureStore(name: string): Promise<void> {
  print(
    `\n${name}, ${clicks} clicks; milliseconds: first time, p50, p95 of ${rounds}, p50 as a multiple of one grouping`,
  );
  const inBlocks = await makeProject();
  await load(inBlocks, QUARTER - 12 * 60 * MINUTE_MS, QUARTER);
  clock.use({ now: () => NOW });
  await buildBlocks();
  const open = await makeProject();
  await load(open, QUARTER, NOW - MINUTE_MS);
  clock.use({ now: () => NOW });
  await measure('in blocks', inBlocks);
  await measure('in the open quarter', open);
}

async function load({ id: projectId, teamId }: Project, startMs: number, endMs: number): Promise<void> {
  const stream = clickStream({ teamId, projectId, links: makeLinks(), clicks, startMs, endMs });
  for (const some of stream(startMs, endMs))
    for (let at = 0; at < some.length; at += STORED_AT_ONCE)
      await storeClicks(some.slice(at, at + STORED_AT_ONCE), { listening: () => false });
}

/** Links without rows: clicks name them. */
function makeLinks(): BenchLink[] {
  return Array.from({ length: LINKS }, (_, at) => ({
    id: newId('lnk'),
    domain: 'go.example.com',
    slug: `s${at}`,
    utm: { source: `source ${at % 8}`, medium: null, campaign: `campaign ${at % 20}`, term: null, content: null },
    tagIds: at % 3 === 0 ? [] : [`tag_${at % 12}`, `tag_${at % 5}x`],
    targets: [
      { destination: `https://www.example.com/${at}`, rule: null },
      { destination: `https://www.example.com/${at}/app`, rule: `rule ${at % 4}` },
    ],
  }));
}

async function measure(where: string, { id: projectId, teamId }: Project): Promise<void> {
  const principal: KeyPrincipal = {
    kind: 'key',
    keyId: newId('key'),
    keyKind: 'secret',
    projectId,
    teamId,
    scopes: new Set(['analytics:read']),
  };
  const input = { projectId, ...RANGE, limit: 10 };
  const ask = (groupBy: Group) => readAnalytics(principal, { ...input, groupBy });
  const ways: Record<string, () => Promise<unknown>> = {
    'one grouping': () => ask('country'),
    [`${CARDS.length} groupings in one pass`]: () => readBreakdowns(principal, { ...input, groupBys: [...CARDS] }),
    [`${CARDS.length} questions`]: () => Promise.all(CARDS.map(ask)),
  };
  let one = Number.NaN;
  for (const [way, work] of Object.entries(ways)) {
    const { cold, p50, p95 } = await timeRounds(rounds, work);
    if (Number.isNaN(one)) one = p50;
    print(`${where}: ${way.padEnd(25)} ${[cold, p50, p95].map(short).join(' ')} · ${(p50 / one).toFixed(1)}×`);
  }
}
