import { startProduct } from '../app/product.ts';
import { dialect } from '../src/db/connection/database.ts';
import { query, queryRaw } from '../src/db/query.ts';
import { inTransaction } from '../src/db/transactions.ts';
import { config, loadConfig } from '../src/kernel/config.ts';
import { log } from '../src/kernel/log.ts';
import { countRows, endHalf, fillTables } from './support/housekeeping/fillTables.ts';
import { steadyCreates } from './support/housekeeping/steadyCreates.ts';
import { type Deletes, watchDeletes } from './support/housekeeping/watchDeletes.ts';
import { sizeOfStore } from './support/loadedStore.ts';
import { type BenchStore, makeStore, option, print } from './support/product.ts';
import { redirectsMeanwhile } from './support/redirectsMeanwhile.ts';
import { percentile, short } from './support/timings.ts';

/**
 * What is kept no longer is deleted from full tables, half of whose rows are old, while links are followed and made: rows a
 * second, the longest transaction, what both feel of it, what becomes of the space, and by which indexes it goes.
 *
 *   npm run bench -- housekeeping [store=sqlite|postgres] [rows=1000000] [seconds=15]     seconds: of each look at traffic
 */
const rows = Number(option('rows', '1000000'));
const seconds = Number(option('seconds', '15'));
const only = option('store', '');

const HOST = 'go.example.com';
const REDIRECTS_A_SECOND = 200;
const CREATES_A_SECOND = 10;
/** Nothing is old until the measurement begins. */
const NEVER = '36500';
const LATER = {
  DELIVERY_RETENTION_DAYS: NEVER,
  EVENT_RETENTION_DAYS: NEVER,
  CLICK_RETENTION_DAYS: NEVER,
  AUDIT_RETENTION_DAYS: NEVER,
  MAIL_RETENTION_DAYS: NEVER,
  HEALTH_HISTORY_DAYS: NEVER,
};
const KEPT_DAYS = {
  deliveryRetentionDays: 30,
  eventRetentionDays: 30,
  clickRetentionDays: 400,
  auditRetentionDays: 365,
  mailRetentionDays: 30,
  healthHistoryDays: 30,
};
/** The job comes each minute; so long without a delete, and it is done. */
const QUIET_MS = 5000;

for (const name of ['sqlite', 'postgres'].filter((store) => !only || store === only)) {
  print(`\n── ${name} ──`);
  const store = await makeStore(name, 'svc_bench_housekeeping');
  try {
    await measure(store);
  } finally {
    await store.remove();
  }
}

async function measure(store: BenchStore): Promise<void> {
  const settings = {
    PORT: '3917',
    HOST: '127.0.0.1',
    LINK_DOMAIN: HOST,
    LOG_LEVEL: 'warn',
    HEALTH_CHECK_SECONDS: '86400',
  };
  const limits = {
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_ROWS_PER_MINUTE: '100000000',
    NEW_ACCOUNT_LINKS_PER_HOUR: '1000000',
  };
  loadConfig({ ...settings, ...limits, ...LATER, ALLOW_PRIVATE_TARGETS: 'true', ...store.env });
  log.level = config.logLevel;
  let key = '';
  const product = await startProduct({
    onFirstStart: ({ secretKey }) => {
      key = secretKey;
    },
  });
  try {
    const call = async (method: string, path: string, body?: object) => {
      const response = await fetch(`http://127.0.0.1:${product.port}/api/v1${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as { id: string };
    };
    await prepare(call);
    await measurePurge(store, product.port, call);
  } finally {
    await product.stop();
  }
}

type Call = (method: string, path: string, body?: object) => Promise<{ id: string }>;

async function prepare(call: Call): Promise<void> {
  const links = Array.from({ length: 100 }, (_, at) => ({ slug: `h-${at}`, destination: 'https://www.example.com/' }));
  await call('POST', '/links/bulk', { links });
  const webhook = await call('POST', '/webhooks', { url: 'http://127.0.0.1:9999/', event_types: ['health.failed'] });
  const idOf = async (table: string) => (await query<{ id: string }>(`SELECT id FROM ${table} LIMIT 1`))[0]?.id ?? '';
  const [teamId, projectId, keyId, userId] = await Promise.all(['teams', 'projects', 'api_keys', 'users'].map(idOf));
  const startedAt = performance.now();
  const owner = { teamId, projectId, keyId, userId, webhookId: webhook.id } as Parameters<typeof fillTables>[0];
  await fillTables(owner, rows);
  if (dialect() === 'sqlite') await query('PRAGMA wal_checkpoint(TRUNCATE)');
  print(`filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
}

async function measurePurge(store: BenchStore, port: number, call: Call): Promise<void> {
  const traffic = () => measureTraffic(port, call);
  await traffic();
  const idle = await traffic();
  const before = { rows: await countRows(), size: await sizeText(store) };
  await endHalf();
  const deletes = watchDeletes();
  Object.assign(config, KEPT_DAYS);
  while (deletes.spent.length < 10) await new Promise((resolve) => setTimeout(resolve, 20));
  const startedAt = performance.now();
  const busy = [await traffic()];
  while (performance.now() - deletes.lastAt < QUIET_MS) busy.push(await traffic());
  const spentSeconds = (deletes.lastAt - startedAt) / 1000;
  const after = await countRows();
  const gone = Object.entries(after).map(([table, count]) => [table, (before.rows[table] ?? 0) - count] as const);
  const all = gone.reduce((sum, [, count]) => sum + count, 0);
  print(gone.map(([table, count]) => `${table} ${count}`).join(' · '));
  print(`${all} rows in ${spentSeconds.toFixed(1)} s: ${Math.round(all / spentSeconds)} rows/s`);
  const { spent } = deletes;
  print(
    `${spent.length} transactions: p50 ${short(percentile(spent, 0.5))} ms, p99 ${short(percentile(spent, 0.99))} ms, longest ${short(percentile(spent, 1))} ms`,
  );
  print(`without: ${line(idle)}`);
  for (const look of busy) print(`beside:  ${line(look)}`);
  print(`size before: ${before.size}; after: ${await sizeText(store)}`);
  await explain(deletes);
}

async function measureTraffic(port: number, call: Call) {
  const paths = Array.from({ length: 100 }, (_, at) => `/h-${at}`);
  const order = { port, host: HOST, paths, perSecond: REDIRECTS_A_SECOND, seconds };
  const create = () => call('POST', '/links', { destination: 'https://www.example.com/made' });
  const [redirects, creates] = await Promise.all([
    redirectsMeanwhile(order),
    steadyCreates(create, { perSecond: CREATES_A_SECOND, seconds }),
  ]);
  return { redirects, creates };
}

function line({ redirects, creates }: Awaited<ReturnType<typeof measureTraffic>>): string {
  const { p50, p99, worst, failed } = redirects;
  return (
    `redirects p50 ${short(p50)} p99 ${short(p99)} worst ${short(worst)} ms${failed ? ` (${failed} FAILED)` : ''}, ` +
    `creates p50 ${short(creates.p50)} p99 ${short(creates.p99)} ms`
  );
}

async function sizeText({ folder }: BenchStore): Promise<string> {
  const { whole } = await sizeOfStore(folder);
  if (dialect() === 'postgres') return `${whole.toFixed(0)} MiB`;
  const [free] = await query<{ freelist_count: number }>('PRAGMA freelist_count');
  const [page] = await query<{ page_size: number }>('PRAGMA page_size');
  const mib = ((free?.freelist_count ?? 0) * (page?.page_size ?? 0)) / 1024 / 1024;
  return `${whole.toFixed(0)} MiB, ${mib.toFixed(0)} of them free pages`;
}

/** How the store finds what it deletes; a table that is read as a whole is shouted about. */
async function explain({ statements }: Deletes): Promise<void> {
  const word = dialect() === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
  for (const [sql, values] of [...statements]) {
    const plan = await planOf(`${word} ${sql}`, values);
    const steps = plan.map((row) => String(row.detail ?? row['QUERY PLAN']).trim());
    const isBad = steps.some((step) => /^(->\s*)?(SCAN (?!.*INDEX)|Seq Scan)/.test(step));
    print(`${isBad ? '!!! ' : ''}${/DELETE FROM (\w+)/.exec(sql)?.[1]}: ${steps.join(' | ').slice(0, 400)}`);
  }
}

type Plan = Record<string, unknown>[];

/** On PostgreSQL with what deleteSome tells it. */
function planOf(sql: string, values: readonly unknown[]): Promise<Plan> {
  if (dialect() === 'sqlite' || !sql.includes('ctid')) return queryRaw(sql, values);
  return inTransaction(async (transaction) => {
    for (const way of ['seqscan', 'bitmapscan', 'sort'])
      await queryRaw(`SELECT set_config('enable_${way}', 'off', true)`, [], transaction);
    return queryRaw(sql, values, transaction);
  });
}
