import { MIGRATIONS, type Migration } from './migrations/index.ts';
import { type RowCounts, type SomeStore, tablesOf } from './tables.ts';

/**
 * The tables in which a store keeps which migrations it has seen. The release before 0026 ends when `migrations` has a name that
 * it does not know, and never reads `migration_steps`: migrations that it can live with are recorded there.
 */
const RECORDS = { first: 'migrations', steps: 'migration_steps' } as const;

/** Tables whose rows come from migrations alone, so that no copy of a store takes them over. */
export const MIGRATION_TABLES: readonly string[] = Object.values(RECORDS);

/** A migration that a store has seen. */
export interface SeenMigration {
  name: string;
  kind: Migration['kind'];
}

/** A newer version has migrated the store, and this one may not understand its rows; `message` says what to do. */
export class StoreIsNewer extends Error {}

/** The store lacks migrations and MIGRATE=off forbids to run them; `message` says what to do. */
export class StoreIsOlder extends Error {}

/** The migrations that a store has seen, in order; empty where it has none of our tables. Indexes made later have rows too. */
export async function migrationsOf(store: SomeStore): Promise<SeenMigration[]> {
  const seen = (await recordsOf(store)).filter(({ isIndex }) => !isIndex);
  return seen.map(({ name, kind }) => ({ name, kind })).sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The names of the indexes that were made after their migrations. */
export async function madeIndexesOf(store: SomeStore): Promise<Set<string>> {
  return new Set((await recordsOf(store)).filter(({ isIndex }) => isIndex).map(({ name }) => name));
}

/** How an index is named among the steps: a release that does not know it goes on, as after any other expansion. */
const INDEX_MARK = 'index ';

async function recordsOf(store: SomeStore): Promise<(SeenMigration & { isIndex: boolean })[]> {
  const tables = await tablesOf(store);
  const rows: SeenMigration[] = [];
  if (tables.includes(RECORDS.first)) {
    const named = await store.all<{ name: string }>(`SELECT name FROM ${RECORDS.first}`);
    rows.push(...named.map(({ name }) => ({ name, kind: 'first' as const })));
  }
  if (tables.includes(RECORDS.steps))
    rows.push(...(await store.all<SeenMigration>(`SELECT name, kind FROM ${RECORDS.steps}`)));
  return rows.map(({ name, kind }) => {
    const isIndex = name.startsWith(INDEX_MARK);
    return { name: isIndex ? name.slice(INDEX_MARK.length) : name, kind, isIndex };
  });
}

/** Makes the tables of records where they are missing. */
export async function makeRecordTables(store: SomeStore): Promise<void> {
  await store.all(`CREATE TABLE IF NOT EXISTS ${RECORDS.first} (name VARCHAR(255) PRIMARY KEY)`);
  await store.all(
    `CREATE TABLE IF NOT EXISTS ${RECORDS.steps} (name VARCHAR(255) PRIMARY KEY, kind VARCHAR(20) NOT NULL, applied_at VARCHAR(30) NOT NULL)`,
  );
}

/** Records that a migration has run. */
export async function recordMigration(store: SomeStore, { name, kind }: SeenMigration): Promise<void> {
  if (kind === 'first') await store.all(`INSERT INTO ${RECORDS.first} (name) VALUES ($1)`, [name]);
  else await recordStep(store, name, kind);
}

/** Records that an index was made after its migration. It may be recorded already. */
export function recordIndex(store: SomeStore, name: string): Promise<void> {
  return recordStep(store, `${INDEX_MARK}${name}`, 'expand');
}

async function recordStep(store: SomeStore, name: string, kind: Migration['kind']): Promise<void> {
  await store.all(`INSERT INTO ${RECORDS.steps} (name, kind, applied_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, [
    name,
    kind,
    new Date().toISOString(),
  ]);
}

/** Throws a `StoreIsNewer` when a newer version has changed the store in a way that this version may not understand. */
export function refuseNewer(seen: readonly SeenMigration[]): void {
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  const newer = seen.filter(({ name, kind }) => kind !== 'expand' && !known.has(name)).map(({ name }) => name);
  if (newer.length === 0) return;
  throw new StoreIsNewer(
    `A newer version has migrated the store (${newer.join(', ')}). Start that version, or restore a backup made before it.`,
  );
}

/** The migrations that a store has not seen, in the order in which they run. */
export function missingIn(seen: readonly SeenMigration[]): Migration[] {
  const names = new Set(seen.map(({ name }) => name));
  return MIGRATIONS.filter(({ name }) => !names.has(name));
}

/** Counts without those of the tables of records. */
export function withoutMigrations(counts: RowCounts): RowCounts {
  return Object.fromEntries(Object.entries(counts).filter(([table]) => !MIGRATION_TABLES.includes(table)));
}
