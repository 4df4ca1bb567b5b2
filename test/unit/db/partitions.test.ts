// stores: each
import { expect } from 'chai';
import { dropClicks } from '../../../src/clicks/purgeClicks.ts';
import { makeIndexes } from '../../../src/db/bigIndexes.ts';
import { limitInOrder } from '../../../src/db/dialects.ts';
import { sqlTime } from '../../../src/db/jsonRows.ts';
import { extendPartitions, isPartitionMissing } from '../../../src/db/partitions/extendPartitions.ts';
import { deletedOneByOneUntil, readPartitions } from '../../../src/db/partitions/readPartitions.ts';
import { PARTITIONED, partitioned } from '../../../src/db/partitions/tables.ts';
import { queryRaw } from '../../../src/db/query.ts';
import type { Transaction } from '../../../src/db/sequelize.ts';
import { inIndexOrder } from '../../../src/db/transactions.ts';
import { dropEvents } from '../../../src/events/eventStore.ts';
import { clock, DAY_MS } from '../../../src/kernel/clock.ts';
import { deriveId } from '../../../src/kernel/ids.ts';
import { dropDeliveries } from '../../../src/webhooks/deliveryStore.ts';
import { idAt, insert, insertPartition, names, placesOf, run, TODAY, usePartitions } from '../../support/partitions.ts';

describe('partitions', () => {
  usePartitions();

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
