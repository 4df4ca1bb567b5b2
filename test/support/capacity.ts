import { readFileSync } from 'node:fs';
import { inRoot } from './root.ts';

/** What docs/capacity.md says, computed from the unit costs that `npm run bench -- costs` measured. */
const COSTS_FILE = 'bench/unitCosts.json';

const {
  measured,
  source,
  cpuSecondsPerThousand: cpu,
  bytes,
  ceilings,
} = JSON.parse(readFileSync(inRoot(COSTS_FILE), 'utf8'));

const LOADS = [1000, 100_000, 1_000_000];
const SECONDS_OF_MONTH = 30 * 86_400;
/** A core is planned to be this busy at most: queues grow without bound beyond. */
const UTILIZATION = 0.6;
/** Connections of a busy process: DATABASE_POOL_SIZE and the listening one; a worker has those of its job store too. */
const CONNECTIONS = { redirect: 11, worker: 16 };

/** Cores for work that costs this many CPU-seconds per thousand. */
const cores = (perSecond: number, ...costs: number[]) =>
  (perSecond / 1000) * (costs.reduce((sum, cost) => sum + cost, 0) / UTILIZATION);
const whole = (value: number) => Math.max(1, Math.ceil(value));

interface Need {
  redirects: number;
  workers: number;
  postgresCores: number;
  connections: number;
}

function needOf(perSecond: number): Need {
  // The process that journals a click drains it too.
  const redirects = Math.max(2, whole(cores(perSecond, cpu.redirectUnderLoad.process)));
  const workers = Math.max(
    2,
    whole(cores(perSecond, cpu.rollup.process)),
    whole(perSecond / ceilings.rollupPerWorker.perSecond),
  );
  return {
    redirects,
    workers,
    postgresCores: cores(perSecond, cpu.drain.postgres, cpu.rollup.postgres),
    connections: redirects * CONNECTIONS.redirect + workers * CONNECTIONS.worker,
  };
}

const NUMBER = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });
const number = (value: number) => NUMBER.format(value);

function size(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(value) / 3));
  return `${number(value / 1000 ** power)} ${units[power]}`;
}

const ROWS: [what: string, of: (perSecond: number) => string][] = [
  ['clicks a month', (perSecond) => number(perSecond * SECONDS_OF_MONTH)],
  ['redirect processes, a core each', (perSecond) => number(needOf(perSecond).redirects)],
  ['worker processes for figures', (perSecond) => number(needOf(perSecond).workers)],
  ['cores of PostgreSQL for clicks', (perSecond) => number(whole(needOf(perSecond).postgresCores))],
  ['connections to PostgreSQL', (perSecond) => number(needOf(perSecond).connections)],
  ['network, both directions', (perSecond) => `${number((perSecond * bytes.exchange.perRedirect * 8) / 1e6)} Mbit/s`],
  [
    'disk of PostgreSQL a month, for single clicks',
    (perSecond) => size(perSecond * SECONDS_OF_MONTH * bytes.click.perClick),
  ],
  ['the same for figures, for ever', (perSecond) => size(perSecond * SECONDS_OF_MONTH * bytes.blocks.perClick)],
  ['matching, 3 days', (perSecond) => size(perSecond * 3 * 86_400 * bytes.match.perClick)],
  ['disk of ClickHouse a month instead', (perSecond) => size(perSecond * SECONDS_OF_MONTH * bytes.clickhouse.perClick)],
  ['journals during an hour without the store', (perSecond) => size(perSecond * 3600 * bytes.journal.perClick)],
  [
    'one webhook for every click: cores of workers, of PostgreSQL',
    (perSecond) =>
      [cpu.delivery.process, cpu.delivery.postgres].map((cost) => number(whole(cores(perSecond, cost)))).join(', '),
  ],
];

function sumOf(cost: { process: number; postgres: number }): number {
  return Math.round((cost.process + cost.postgres) * 1000) / 1000;
}

/** Redirects a second at which each part is at its end, lowest first. */
const LIMITS: [what: string, perSecond: number, way: string][] = [
  [
    'a volume of 1 TB with single clicks for 400 days',
    1e12 / (400 * 86_400 * bytes.click.perClick),
    'shorten `CLICK_RETENTION_DAYS`, or keep clicks elsewhere',
  ],
  [
    'the default journal of 1 GB, in an outage of an hour',
    1_073_741_824 / (3600 * bytes.journal.perClick),
    'raise `CLICK_JOURNAL_MAX_BYTES`; per redirect process',
  ],
  [
    'one process with SQLite, redirects and drain',
    (1000 * UTILIZATION) / cpu.sqlite.process,
    'move to PostgreSQL: [scaling-up.md](scaling-up.md)',
  ],
  [
    'one redirect process',
    (1000 * UTILIZATION) / cpu.redirectUnderLoad.process,
    'add processes; what they answer shares nothing',
  ],
  [
    '100 connections, the default of PostgreSQL',
    loadOfConnections(100),
    'raise `max_connections`, or lower `DATABASE_POOL_SIZE`',
  ],
  [
    'one PostgreSQL with 8 cores',
    (8 * UTILIZATION * 1000) / (cpu.drain.postgres + cpu.rollup.postgres),
    'a larger machine; beyond the largest, clicks leave PostgreSQL',
  ],
];

/** The largest load whose processes fit this many connections. */
function loadOfConnections(most: number): number {
  let perSecond = 1000;
  while (needOf(perSecond + 1000).connections <= most) perSecond += 1000;
  return perSecond;
}

const costRows = Object.entries(cpu as Record<string, { process: number; postgres: number; about: string }>).map(
  ([name, cost]) => `| ${name} | ${cost.process} | ${cost.postgres} | ${cost.about} |`,
);
const limitRows = LIMITS.sort((one, other) => one[1] - other[1]).map(
  ([what, perSecond, way]) => `| ${what} | ${number(perSecond)} | ${way} |`,
);
const heads = LOADS.map((load) => new Intl.NumberFormat('en').format(load));

/** The tables of the page, each from its head to its last row. */
export const CAPACITY_TABLES: Record<string, string> = {
  'what a load needs': `| redirects a second | ${heads.join(' | ')} |
|---|${LOADS.map(() => '--:|').join('')}
${ROWS.map(([what, of]) => `| ${what} | ${LOADS.map(of).join(' | ')} |`).join('\n')}`,
  'what breaks first': `| part | at redirects a second | then |
|---|--:|---|
${limitRows.join('\n')}`,
  'unit costs': `| work | our process | PostgreSQL | |
|---|--:|--:|---|
${costRows.join('\n')}`,
};

/** Figures in its sentences. */
export const CAPACITY_FIGURES: string[] = [
  `measured on ${measured} with\n${source}.`,
  `planned to be ${UTILIZATION * 100} % busy`,
  `into PostgreSQL, which took ${sumOf(cpu.drain)} here`,
  `A link takes ${size(bytes.link.perLink)} with its indexes: 100 million are ${size(1e8 * bytes.link.perLink)},`,
];
