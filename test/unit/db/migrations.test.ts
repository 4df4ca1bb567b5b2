// stores: each
import { expect } from 'chai';
import { makeIndexes } from '../../../src/db/bigIndexes.ts';
import { dialect } from '../../../src/db/connection/database.ts';
import { migrate, migrateAtStart } from '../../../src/db/migrate.ts';
import { StoreIsNewer, StoreIsOlder } from '../../../src/db/migrationRecords.ts';
import { MIGRATIONS } from '../../../src/db/migrations/index.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { type OpenStore, openStore } from '../../support/store.ts';
import { STORE } from '../../support/stores.ts';

describe('migrations', () => {
  let store: OpenStore;
  beforeEach(async function () {
    this.timeout(180_000);
    store = await openStore();
  });
  afterEach(() => store.close());

  const names = async (table: string) =>
    (await queryRaw<{ name: string }>(`SELECT name FROM ${table} ORDER BY name`, [])).map(({ name }) => name);
  const write = (sql: string, values: unknown[] = []) =>
    inTransaction((transaction) => queryRaw(sql, values, transaction));
  const step = (name: string, kind: string) =>
    write('INSERT INTO migration_steps (name, kind, applied_at) VALUES ($1, $2, $3)', [name, kind, 'now']);
  const problemOf = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);

  it('records where the release before does not read what it can live with', async () => {
    const ofKinds = (...kinds: string[]) =>
      MIGRATIONS.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
    expect(await names('migrations')).to.deep.equal(ofKinds('first'));
    expect(await names('migration_steps')).to.deep.equal(ofKinds('expand', 'contract'));
    expect(await migrate()).to.deep.equal({ migrations: [], indexes: [], partitioned: [] });
  });

  it('goes on after an expansion that it does not know, and refuses any other migration that it does not know', async () => {
    await step('9001-more', 'expand');
    await migrate();
    await step('9002-less', 'contract');
    const newer = await problemOf(migrate());
    expect(newer).to.be.instanceOf(StoreIsNewer);
    expect((newer as Error).message).to.include('(9002-less)');
    await write("DELETE FROM migration_steps WHERE name LIKE '9%'");
    await write("INSERT INTO migrations (name) VALUES ('9003-other')");
    expect(await problemOf(migrate())).to.be.instanceOf(StoreIsNewer);
    expect(await problemOf(migrateAtStart({ migrate: 'off' }))).to.be.instanceOf(StoreIsNewer);
  });

  it('knows what earlier versions recorded among the first migrations', async () => {
    await write('INSERT INTO migrations (name) SELECT name FROM migration_steps');
    await write('DROP TABLE migration_steps');
    expect((await migrate()).migrations).to.deep.equal([]);
  });

  it('with MIGRATE=off says what to run, and changes nothing', async () => {
    await migrateAtStart({ migrate: 'off' });
    await write("DELETE FROM migration_steps WHERE name = '0029-click-journals'");
    const older = await problemOf(migrateAtStart({ migrate: 'off' }));
    expect(older).to.be.instanceOf(StoreIsOlder);
    expect((older as Error).message).to.equal(
      'The store lacks migrations (0029-click-journals) and MIGRATE is off. Run npm run admin -- migrate, then start again.',
    );
    expect(await names('migration_steps')).not.to.include('0029-click-journals');
  });

  describe('of indexes on large tables', () => {
    const index = { name: 'links_by_title', on: 'links (title, id)' };
    const isValid = async () => {
      const sql =
        STORE === 'postgres'
          ? "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = CAST(to_regclass('links_by_title') AS oid)"
          : "SELECT 1 AS valid FROM sqlite_master WHERE name = 'links_by_title'";
      return Boolean((await queryRaw<{ valid: unknown }>(sql, []))[0]?.valid);
    };

    it('makes them once, also when two processes do at the same time', async () => {
      const lines: string[] = [];
      const made = await Promise.all([1, 2].map(() => makeIndexes([index], (line) => lines.push(line))));
      expect(await isValid()).to.equal(true);
      expect(await makeIndexes([index], () => {})).to.deep.equal([]);
      // SQLite has one process: both calls are of the same.
      if (dialect() === 'postgres') expect(made.flat()).to.deep.equal(['links_by_title']);
    });

    it('makes one again that a crash left broken', async function () {
      if (STORE !== 'postgres') this.skip();
      await write('CREATE INDEX links_by_title ON links (title, id)');
      await write(
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = CAST(to_regclass('links_by_title') AS oid)",
      );
      expect(await isValid()).to.equal(false);
      expect(await makeIndexes([index], () => {})).to.deep.equal(['links_by_title']);
      expect(await isValid()).to.equal(true);
    });
  });
});
