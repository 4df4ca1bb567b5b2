import { sqlTime } from '../../src/db/jsonRows.ts';
import { readPartitions } from '../../src/db/partitions/readPartitions.ts';
import { boundAt, partitioned } from '../../src/db/partitions/tables.ts';
import { queryRaw } from '../../src/db/query.ts';
import { clock, DAY_MS } from '../../src/kernel/clock.ts';
import { firstIdAt } from '../../src/kernel/ids.ts';
import { type OpenStore, openStore } from './store.ts';
import { STORE } from './stores.ts';

export const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS;

/** A new store for each test of partitions, which SQLite does not have. */
export function usePartitions(): void {
  let store: OpenStore;
  before(function () {
    // Most of it needs several connections.
    if (STORE === 'sqlite' || process.env.TEST_POSTGRES_SHARED === 'true') this.skip();
  });
  beforeEach(async () => {
    store = await openStore();
  });
  afterEach(async () => {
    clock.reset();
    await store?.close();
  });
}

/** Runs a statement with its values. */
export const run = <Row extends object>(sql: string, ...values: unknown[]) => queryRaw<Row>(sql, values);
/** The partitions of a table. */
export const names = async (table: string) => (await readPartitions(table))?.map(({ name }) => name);
/** The partition of each row of a table, by its id. */
export const placesOf = async (table: string) =>
  Object.fromEntries(
    (await run<{ id: string; place: string }>(`SELECT id, CAST(tableoid AS regclass) AS place FROM ${table}`)).map(
      ({ id, place }) => [id, place],
    ),
  );

/** A row in a table, with something in each column that must have a value. */
export const insert = async (table: string, given: Record<string, unknown>) => {
  const columns = await run<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_name = $1 AND table_schema = current_schema() AND is_nullable = 'NO' AND column_default IS NULL`,
    table,
  );
  const missing: [string, unknown][] = columns.map(({ name, type }) => [name, VALUES[type] ?? 1]);
  const row = Object.entries({ ...Object.fromEntries(missing), ...given });
  await run(
    `INSERT INTO ${table} (${row.map(([name]) => name).join(', ')}) VALUES (${row.map((_, at) => `$${at + 1}`).join(', ')})`,
    ...row.map(([, value]) => value),
  );
};
const VALUES: Record<string, unknown> = { text: 'x', json: '{}', 'timestamp with time zone': sqlTime(TODAY) };

/** A partition of whole days before today, which the product would have made then. */
export const insertPartition = async (name: string, fromDaysAgo: number, toDaysAgo: number) => {
  const table = partitioned(name);
  const first = `${name}_first`;
  await run(`ALTER TABLE ${name} DETACH PARTITION ${first}`);
  await run(`DROP TABLE ${first}`);
  const [from, to] = [fromDaysAgo, toDaysAgo].map((days) => boundAt(table, TODAY - days * DAY_MS));
  await run(`CREATE TABLE ${name}_old PARTITION OF ${name} FOR VALUES FROM (${from}) TO (${to})`);
};
/** The first id of a day in the past. */
export const idAt = (prefix: 'clk' | 'evt' | 'dlv', daysAgo: number) => firstIdAt(prefix, TODAY - daysAgo * DAY_MS);
