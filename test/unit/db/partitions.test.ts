// stores: each
import { expect } from 'chai';
import { dropClicks } from '../../../src/clicks/purgeClicks.ts';
import { makeIndexes } from '../../../src/db/bigIndexes.ts';
import { limitInOrder } from '../../../src/db/dialects.ts';
import { sqlTime } from '../../../src/db/jsonRows.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { extendPartitions, isPartitionMissing } from '../../../src/db/partitions/extendPartitions.ts';
import { makePartitioned } from '../../../src/db/partitions/makePartitioned.ts';
import { deletedOneByOneUntil, readPartitions } from '../../../src/db/partitions/readPartitions.ts';
import { boundAt, PARTITIONED, partitioned } from '../../../src/db/partitions/tables.ts';
import { queryRaw } from '../../../src/db/query.ts';
import type { Transaction } from '../../../src/db/sequelize.ts';
import { inIndexOrder, inTransaction } from '../../../src/db/transactions.ts';
import { dropEvents } from '../../../src/events/eventStore.ts';
import { clock, DAY_MS } from '../../../src/kernel/clock.ts';
import { deriveId, firstIdAt } from '../../../src/kernel/ids.ts';
import { dropDeliveries } from '../../../src/webhooks/deliveryStore.ts';
import { type OpenStore, openStore } from '../../support/store.ts';
import { STORE } from '../../support/stores.ts';
import { undivide } from '../../support/undivide.ts';

const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS;

describe('partitions', () => {
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

  const run = <Row extends object>(sql: string, ...values: unknown[]) => queryRaw<Row>(sql, values);
  const names = async (table: string) => (await readPartitions(table))?.map(({ name }) => name);
  const placesOf = async (table: string) =>
    Object.fromEntries(
      (await run<{ id: string; place: string }>(`SELECT id, CAST(tableoid AS regclass) AS place FROM ${table}`)).map(
        ({ id, place }) => [id, place],
      ),
    );

  /** A row in a table, with something in each column that must have a value. */
  const insert = async (table: string, given: Record<string, unknown>) => {
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
  const insertPartition = async (name: string, fromDaysAgo: number, toDaysAgo: number) => {
    const table = partitioned(name);
    const first = `${name}_first`;
    await run(`ALTER TABLE ${name} DETACH PARTITION ${first}`);
    await run(`DROP TABLE ${first}`);
    const [from, to] = [fromDaysAgo, toDaysAgo].map((days) => boundAt(table, TODAY - days * DAY_MS));
    await run(`CREATE TABLE ${name}_old PARTITION OF ${name} FOR VALUES FROM (${from}) TO (${to})`);
  };
  const idAt = (prefix: 'clk' | 'evt' | 'dlv', daysAgo: number) => firstIdAt(prefix, TODAY - daysAgo * DAY_MS);

  describe('of a table from before', () => {
    const [recent, odd] = [idAt('clk', 1), idAt('clk', -20_000)];
    const indexesOf = (table: string) =>
      run<{ definition: string }>(
        `SELECT regexp_replace(indexdef, '^.* USING ', '') AS definition FROM pg_indexes WHERE tablename = $1 ORDER BY 1`,
        table,
      );
    beforeEach(async () => {
      await undivide('clicks');
      for (const id of [recent, odd]) await insert('clicks', { id });
    });
    const expectWhole = async () => {
      expect(await names('clicks')).to.deep.equal(['clicks_first', 'clicks_default']);
      expect(await placesOf('clicks')).to.deep.equal({ [recent]: 'clicks_first', [odd]: 'clicks_default' });
      const indexes = await indexesOf('clicks_first');
      expect(indexes).to.have.length(3);
      for (const table of ['clicks', 'clicks_default']) expect(await indexesOf(table)).to.deep.equal(indexes);
      await run(`INSERT INTO clicks SELECT * FROM clicks ON CONFLICT (id) DO NOTHING`);
      expect(await run('SELECT 1 FROM clicks')).to.have.length(2);
      expect(await run(`SELECT 1 FROM pg_constraint WHERE conname = 'clicks_before_bound'`)).to.have.length(0);
    };

    it('are made without moving rows but those of a clock that was far ahead', async () => {
      const before = await run('SELECT relfilenode FROM pg_class WHERE relname = $1', 'clicks');
      expect((await migrate()).partitioned).to.deep.equal(['clicks']);
      await expectWhole();
      expect(await run('SELECT relfilenode FROM pg_class WHERE relname = $1', 'clicks_first')).to.deep.equal(before);
      expect(await migrate()).to.deep.equal({ migrations: [], indexes: [], partitioned: [] });
    });

    it('wait for a clock that is right: all rows would be on one side of the bound', async () => {
      for (const days of [-5000, 5000]) {
        clock.use({ now: () => TODAY + days * DAY_MS });
        expect(await makePartitioned(() => {})).to.deep.equal([]);
      }
      clock.reset();
      expect(await makePartitioned(() => {})).to.deep.equal(['clicks']);
      await expectWhole();
    });

    it('are made once by two processes', async () => {
      const made = await Promise.all([makePartitioned(() => {}), makePartitioned(() => {})]);
      expect(made.flat()).to.deep.equal(['clicks']);
      await expectWhole();
    });

    it('are made after a crash between the two locks', async () => {
      await run('CREATE TABLE clicks_default (LIKE clicks INCLUDING ALL)');
      await run('INSERT INTO clicks_default SELECT * FROM clicks WHERE id = $1', odd);
      await run('DELETE FROM clicks WHERE id = $1', odd);
      await run(`ALTER TABLE clicks ADD CONSTRAINT clicks_before_bound CHECK (id < 'clk_x') NOT VALID`);
      await makePartitioned(() => {});
      await expectWhole();
    });

    it('wait for a long question, and let others ask meanwhile', async () => {
      let isMade = false;
      let making: Promise<unknown> = Promise.resolve();
      await inTransaction(async (transaction) => {
        await queryRaw('SELECT id FROM clicks', [], transaction);
        making = makePartitioned(() => {}).then(() => {
          isMade = true;
        });
        const end = Date.now() + 1500;
        while (Date.now() < end) expect(await run('SELECT id FROM clicks')).to.have.length(2);
        expect(isMade).to.equal(false);
      });
      await making;
      await expectWhole();
    });

    it('leave the rights of others', async () => {
      await run('DROP ROLE IF EXISTS svc_test_reader');
      await run('CREATE ROLE svc_test_reader');
      try {
        await run('GRANT SELECT ON clicks TO svc_test_reader');
        await run('GRANT INSERT ON clicks TO PUBLIC');
        await makePartitioned(() => {});
        const may = (right: string) => run(`SELECT has_table_privilege('svc_test_reader', 'clicks', $1) AS may`, right);
        expect([...(await may('SELECT')), ...(await may('INSERT')), ...(await may('DELETE'))]).to.deep.equal([
          { may: true },
          { may: true },
          { may: false },
        ]);
      } finally {
        await run('DROP OWNED BY svc_test_reader');
        await run('DROP ROLE svc_test_reader');
      }
    });
  });

  it('are there from the start, and rows find them', async () => {
    for (const { name } of PARTITIONED) expect((await names(name))?.slice(0, 1), name).to.deep.equal([`${name}_first`]);
  });

  it('are made in time, one after another, and take over what came early', async () => {
    const { days } = partitioned('events');
    expect(await isPartitionMissing()).to.equal(false);
    const id = idAt('evt', -days() - 2);
    await insert('events', { id });
    clock.use({ now: () => TODAY + 1.5 * DAY_MS });
    expect(await isPartitionMissing()).to.equal(true);
    const made = (await Promise.all([extendPartitions(), extendPartitions()])).flat();
    expect(made.filter((name) => name.startsWith('events'))).to.have.length(1);
    expect((await placesOf('events'))[id]).to.match(/^events_from_\d{8}$/);
    expect((await indexColumns('events_first')).sort()).to.deep.equal(
      (await indexColumns(made.find((name) => name.startsWith('events')) ?? '')).sort(),
    );
  });

  const indexColumns = async (table: string) =>
    (
      await run<{ columns: string }>(
        `SELECT regexp_replace(indexdef, '^.* USING ', '') AS columns FROM pg_indexes WHERE tablename = $1`,
        table,
      )
    ).map(({ columns }) => columns);

  it('begin tomorrow after a time in which none was made, and what came then stays where it is', async () => {
    const id = idAt('evt', -30);
    await insert('events', { id });
    clock.use({ now: () => TODAY + 40 * DAY_MS });
    await extendPartitions();
    expect((await placesOf('events'))[id]).to.equal('events_default');
    const last = (await readPartitions('events'))?.findLast(({ isDefault }) => !isDefault);
    expect(last?.from).to.equal(TODAY + 41 * DAY_MS);
    expect(await deletedOneByOneUntil('events', TODAY + 40 * DAY_MS)).to.equal(TODAY + 40 * DAY_MS);
    expect(await deletedOneByOneUntil('events', TODAY + 42 * DAY_MS)).to.equal(TODAY + 41 * DAY_MS);
  });

  it('go on as before when a clock was far ahead for a while', async () => {
    const { days } = partitioned('events');
    clock.use({ now: () => TODAY + 20_000 * DAY_MS });
    await extendPartitions();
    expect(await names('events')).to.have.length(3);
    clock.use({ now: () => TODAY + 1.5 * DAY_MS });
    await extendPartitions();
    const made = (await readPartitions('events'))?.map(({ from, to }) => [from, to]);
    const end = TODAY + (1 + days()) * DAY_MS;
    expect(made).to.deep.include([end, end + days() * DAY_MS]);
    expect(await isPartitionMissing()).to.equal(false);
  });

  it('are dropped with old clicks, unless webhooks or blocks lack some', async () => {
    const look = async () => {
      // What has to stay is looked at again after an hour.
      const later = clock.now() + 3_600_001;
      clock.use({ now: () => later });
      await dropClicks();
      return (await names('clicks'))?.includes('clicks_old');
    };
    await insertPartition('clicks', 450, 420);
    await insert('clicks', { id: idAt('clk', 430), uncollected: true });
    expect(await look()).to.equal(true);
    await run('UPDATE clicks SET uncollected = false');
    await insert('click_arrivals', { quarter: ((TODAY - 430 * DAY_MS) / DAY_MS) * 96 });
    expect(await look()).to.equal(true);
    await run('DELETE FROM click_arrivals');
    expect(await look()).to.equal(false);
    expect(await run('SELECT 1 FROM clicks')).to.have.length(0);
  });

  it('stay when the clock of this process is far ahead', async () => {
    await insertPartition('clicks', 20, 10);
    clock.use({ now: () => TODAY + 1000 * DAY_MS });
    await dropClicks();
    expect(await names('clicks')).to.include('clicks_old');
  });

  it('are dropped with old deliveries, their attempts and then their events', async () => {
    for (const name of ['deliveries', 'attempts', 'events']) await insertPartition(name, 50, 40);
    const eventId = idAt('evt', 45);
    const id = deriveId('dlv', eventId, 'whk');
    const old = sqlTime(TODAY - 45 * DAY_MS);
    await insert('teams', { id: 'team' });
    await insert('webhooks', { id: 'whk', team_id: 'team' });
    await insert('events', { id: eventId, created_at: old, fanned_out_at: old });
    await insert('deliveries', { id, webhook_id: 'whk', event_id: eventId, due_at: old, created_at: old });
    await insert('attempts', { delivery_id: id });
    const look = async () => {
      const later = clock.now() + 3_600_001;
      clock.use({ now: () => later });
      await dropDeliveries();
      await dropEvents();
      const found = await Promise.all(['deliveries', 'attempts', 'events'].map(names));
      return found.flatMap((partitions) => partitions?.filter((name) => name.endsWith('_old')) ?? []);
    };
    const all = ['deliveries_old', 'attempts_old', 'events_old'];
    expect(await look(), 'still to be sent').to.deep.equal(all);
    await run('UPDATE deliveries SET due_at = NULL, created_at = $1', sqlTime(TODAY));
    expect(await look(), 'of a replay').to.deep.equal(all);
    await run('UPDATE deliveries SET created_at = $1', old);
    await insert('batched_events', { event_id: eventId });
    expect(await look(), 'an event waits for a batch').to.deep.equal(['events_old']);
    await run('DELETE FROM batched_events');
    expect(await look()).to.deep.equal([]);
  });

  it('are read in the order of their indexes, page by page, also without statistics', async () => {
    for (let at = 1; at < 8; at += 1) {
      clock.use({ now: () => TODAY + at * partitioned('events').days() * DAY_MS });
      await extendPartitions();
    }
    const planOf = async (limit: string) => {
      const rows = await run<Record<string, string>>(
        `EXPLAIN SELECT id FROM events WHERE project_id = 'prj' AND created_at > now() ORDER BY created_at, id ${limit}`,
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    expect(await planOf(limitInOrder(100)))
      .to.include('Merge Append')
      .and.not.to.match(/-> +(Incremental )?Sort/);
  });

  it('are read in that order within `inIndexOrder`, even if statistics say that all but one are empty', async () => {
    await run(
      `INSERT INTO events (id, type, team_id, project_id, tag_ids, data, created_at)
       SELECT 'evt_00' || number, '', '', 'prj', '[]', '{}', to_timestamp(number) FROM generate_series(1, 2000) AS number`,
    );
    await run('ANALYZE events');
    const sql = `EXPLAIN SELECT id FROM events WHERE project_id = 'prj' AND created_at > now()
      ORDER BY created_at, id ${limitInOrder(100)}`;
    const planIn = async (transaction?: Transaction) =>
      (await queryRaw<Record<string, string>>(sql, [], transaction)).map((row) => row['QUERY PLAN']).join('\n');
    expect(await inIndexOrder(planIn))
      .to.include('Merge Append')
      .and.not.to.match(/-> +(Incremental )?Sort/);
    // The setting ends with the transaction.
    expect(await planIn()).to.match(/-> +Sort/);
  });

  it('get an index that a later version brings, also those to come', async () => {
    const probe = [{ name: 'clicks_probe', on: 'clicks (link_id) WHERE uncollected = true' }];
    expect(await makeIndexes(probe, () => {})).to.deep.equal(['clicks_probe']);
    clock.use({ now: () => TODAY + 60 * DAY_MS });
    await extendPartitions();
    const valid = await run(
      `SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
       WHERE indisvalid AND pg_get_indexdef(indexrelid) LIKE '%(link_id)%' AND indrelid IN
         (SELECT CAST('clicks' AS regclass) UNION ALL SELECT inhrelid FROM pg_inherits WHERE inhparent = CAST('clicks' AS regclass))`,
    );
    expect(valid).to.have.length(1 + ((await names('clicks'))?.length ?? 0));
  });
});
