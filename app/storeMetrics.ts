import { setTimeout as delay } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import { BACKLOG } from '../src/clicks/backlogStore.ts';
import { isStoreShared, poolState } from '../src/db/connection/database.ts';
import { isListening } from '../src/db/connection/listen.ts';
import { sqlTime } from '../src/db/jsonRows.ts';
import { queryRaw } from '../src/db/query.ts';
import { clock, QUARTER_MS } from '../src/kernel/clock.ts';
import type { Config } from '../src/kernel/config.ts';
import { registry, showGauge } from '../src/kernel/metrics.ts';
import { VERSION } from '../src/kernel/version.ts';

/** The store is asked at most this often, however many scrape. */
const RENEW_MS = 15_000;
/** How long a scrape waits for the store. After that the last figures are shown. */
const WAIT_MS = 500;
/** Rows that one count reads at most: a long backlog must not make itself longer. */
const MOST = 100_000;

interface Backlog {
  /** What its gauges are called. */
  name: string;
  unit: string;
  about: string;
  /** Returns `waiting` and `oldest`; $1 is now. */
  sql: string;
  oldestMs(oldest: string | number | Date): number;
}

const timeMs = (oldest: string | number | Date) => new Date(oldest).getTime();
const countIn = (rows: string) => `SELECT COUNT(*) AS waiting, MIN(at) AS oldest FROM (${rows} LIMIT ${MOST}) AS found`;

/** Work that waits in the store, by subject. What waits for a later time is none. */
const BACKLOGS: Backlog[] = [
  {
    name: 'svc_outbox',
    unit: 'events',
    about: 'Events whose deliveries are not made yet',
    sql: countIn('SELECT created_at AS at FROM events WHERE fanned_out_at IS NULL AND created_at <= $1'),
    oldestMs: timeMs,
  },
  {
    name: 'svc_deliveries',
    unit: 'due',
    about: 'Deliveries that are due, also those of webhooks that fail or are disabled',
    sql: countIn('SELECT due_at AS at FROM deliveries WHERE due_at IS NOT NULL AND due_at <= $1'),
    oldestMs: timeMs,
  },
  {
    name: 'svc_mails',
    unit: 'due',
    about: 'Mails that are due',
    sql: countIn("SELECT next_attempt_at AS at FROM mails WHERE status = 'waiting' AND next_attempt_at <= $1"),
    oldestMs: timeMs,
  },
  {
    name: 'svc_rollup',
    unit: 'clicks',
    about: 'Clicks that are stored and in no block yet, by quarters of an hour',
    sql: `SELECT COALESCE(SUM(clicks), 0) AS waiting, MIN(quarter) AS oldest FROM ${BACKLOG} AS arrived
      WHERE clicks > 0 AND $1 IS NOT NULL`,
    oldestMs: (quarter) => Number(quarter) * QUARTER_MS,
  },
];

/** Shows in /metrics what this process is: version, role and store. */
export function showBuild({ role }: Config): void {
  const name = 'svc_build_info';
  registry.removeSingleMetric(name);
  const labelNames = ['version', 'node', 'role', 'store'];
  const info = new Gauge({
    name,
    help: 'Version, role and store of this process; always 1.',
    labelNames,
    registers: [registry],
  });
  const store = isStoreShared() ? 'postgres' : 'sqlite';
  info.set({ version: VERSION, node: process.version, role, store }, 1);
}

/** Shows the connections of this process to PostgreSQL. The embedded store has none. */
export function showConnections(): void {
  if (!isStoreShared()) return;
  showGauge('svc_store_connections', 'Connections to PostgreSQL that are open.', () => poolState().size);
  showGauge('svc_store_connections_used', 'Connections to PostgreSQL that work.', () => poolState().used);
  showGauge('svc_store_connections_waiting', 'Requests for a connection that wait for one.', () => poolState().waiting);
  showGauge('svc_store_connections_max', 'Most connections of the pool: DATABASE_POOL_SIZE.', () => poolState().max);
  showGauge('svc_listener_connected', 'Whether announcements of other processes arrive (1) or not (0).', () =>
    Number(isListening()),
  );
}

/** Shows what waits in the store of the whole installation. Every process that runs jobs shows the same. */
export function showBacklogs(): void {
  for (const { name, unit, about, sql, oldestMs } of BACKLOGS) {
    const read = readAtMostEvery(RENEW_MS, async () => {
      const [row] = await queryRaw<{ waiting: number | string; oldest: string | number | Date | null }>(sql, [
        sqlTime(clock.now()),
      ]);
      const age = row?.oldest == null ? 0 : Math.max(0, clock.now() - oldestMs(row.oldest)) / 1000;
      return { waiting: Number(row?.waiting ?? 0), age };
    });
    showLater(`${name}_${unit}`, `${about}.`, async () => (await read())?.waiting);
    showLater(`${name}_oldest_seconds`, `Age of the oldest. ${about}.`, async () => (await read())?.age);
  }
}

function showLater(name: string, help: string, read: () => Promise<number | undefined>): void {
  registry.removeSingleMetric(name);
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await read();
      if (value !== undefined) this.set(value);
    },
  });
}

/** The last result, renewed where it is old. A store that hangs gets one question, and no further one before it answers. */
function readAtMostEvery<Result>(renewMs: number, ask: () => Promise<Result>): () => Promise<Result | undefined> {
  let last: Result | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;
  return async () => {
    if (asking === null && performance.now() - askedAt >= renewMs) {
      askedAt = performance.now();
      const asked = ask().then(
        (result) => {
          last = result;
        },
        // The store is away. The last figures stay.
        () => {},
      );
      asking = asked.finally(() => {
        asking = null;
      });
    }
    if (asking !== null) await Promise.race([asking, delay(WAIT_MS, undefined, { ref: false })]);
    return last;
  };
}
