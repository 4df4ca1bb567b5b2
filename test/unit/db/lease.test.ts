// stores: each
import { expect } from 'chai';
import { claimDue, hasDue, holdLease, type LeasedTable, releaseLeases } from '../../../src/db/lease.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { HealthTurn } from '../../../src/models/HealthTurn.ts';
import { type StoppedClock, stopClock } from '../../support/stopClock.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

const LEASE_MS = 60_000;
const TURNS: LeasedTable = {
  table: 'health_turns',
  key: 'project_id',
  due: 'due_at',
  until: 'lease_until',
  leaseMs: () => LEASE_MS,
};
/** A claimed row is due again when its lease ends. */
const BY_DUE_TIME: LeasedTable = { ...TURNS, until: 'due_at' };
const WALKS: LeasedTable = { ...TURNS, table: 'blocklist_walks', key: 'fingerprint', due: 'lease_until' };

describe('leases of rows', () => {
  let store: OpenStore;
  let time: StoppedClock;

  before(async () => {
    store = await openStore();
  });
  after(() => store.close());
  beforeEach(async () => {
    time = stopClock();
    await inTransaction(async (transaction) => {
      for (const table of ['health_turns', 'blocklist_walks']) await queryRaw(`DELETE FROM ${table}`, [], transaction);
    });
  });
  afterEach(() => clock.reset());

  const advance = (ms: number) => time.move(ms / 1000);
  const add = (projectId: string, dueInMs: number) =>
    inTransaction((transaction) =>
      HealthTurn.create({ projectId, dueAt: new Date(time.nowMs + dueInMs) }, { transaction }),
    );
  const claim = async (leased = TURNS, limit = 10) => (await claimDue(leased, { limit })).map(({ key }) => key).sort();

  for (const leased of [TURNS, BY_DUE_TIME]) {
    describe(leased === TURNS ? 'with a column of their own' : 'in the column of the due time', () => {
      it('are given for rows that are due, longest due first', async () => {
        await add('late', -2000);
        await add('later', -1000);
        await add('early', 1000);
        expect(await claim(leased, 1)).to.deep.equal(['late']);
        expect(await claim(leased, 10)).to.deep.equal(['later']);
        expect(await hasDue(leased)).to.equal(false);
      });

      it('are disjoint when several claim at once', async () => {
        const ids = Array.from({ length: 30 }, (_, at) => `p${String(at).padStart(2, '0')}`);
        for (const id of ids) await add(id, -1000);
        const claims: string[] = [];
        const claimer = async () => {
          for (let got = await claim(leased, 4); got.length > 0; got = await claim(leased, 4)) claims.push(...got);
        };
        await Promise.all([claimer(), claimer(), claimer()]);
        // A row that another claim has locked is left out of this one, and may be left to nobody.
        claims.push(...(await claim(leased, 100)));
        expect(claims.sort()).to.deep.equal(ids);
      });

      it('end by themselves', async () => {
        await add('one', -1000);
        expect(await claim(leased)).to.deep.equal(['one']);
        advance(LEASE_MS - 1);
        expect(await hasDue(leased)).to.equal(false);
        expect(await claim(leased)).to.deep.equal([]);
        advance(1);
        expect(await hasDue(leased)).to.equal(true);
        expect(await claim(leased)).to.deep.equal(['one']);
      });
    });
  }

  it('are claimed by a condition, with what is set and returned beside them', async () => {
    await add('one', -1000);
    await add('two', -2000);
    const rows = await claimDue<{ ran_at: string | Date }>(TURNS, {
      where: 'project_id = $1',
      values: ['one'],
      limit: 5,
      set: 'ran_at = $2',
      setValues: [new Date(5000).toISOString()],
      returning: ['ran_at'],
    });
    expect(rows.map(({ key, untilMs, ran_at }) => [key, untilMs, new Date(ran_at).getTime()])).to.deep.equal([
      ['one', time.nowMs + LEASE_MS, 5000],
    ]);
    expect(await hasDue(TURNS, { where: 'project_id = $1', values: ['one'] })).to.equal(false);
    expect(await hasDue(TURNS, { dueAtMs: time.nowMs - 2001 })).to.equal(false);
  });

  it('are given back by the process that holds them, and by no other', async () => {
    await add('one', -1000);
    const [first] = await claimDue(TURNS, { limit: 1 });
    if (!first) throw new Error('Nothing was claimed');
    advance(LEASE_MS);
    const [second] = await claimDue(TURNS, { limit: 1 });
    if (!second) throw new Error('The lease did not end');
    expect(await releaseLeases(TURNS, [first])).to.deep.equal([]);
    expect(await hasDue(TURNS)).to.equal(false);
    expect(await releaseLeases(TURNS, [second], { set: 'ran_at = NULL' })).to.deep.equal(['one']);
    expect(await claim()).to.deep.equal(['one']);
    expect(await releaseLeases(TURNS, [])).to.deep.equal([]);
  });

  it('that a clock which was ahead has written do not block their rows', async () => {
    await add('one', -1000);
    advance(10 * LEASE_MS);
    await claim();
    advance(-10 * LEASE_MS);
    expect(await claim()).to.deep.equal(['one']);
  });

  describe('by name', () => {
    it('are held by one, who renews them', async () => {
      const held = await holdLease(WALKS, 'name', null);
      expect(held).to.equal(time.nowMs + LEASE_MS);
      expect(await holdLease(WALKS, 'name', null)).to.equal(null);
      expect(await holdLease(WALKS, 'other', null)).to.equal(held);
      advance(LEASE_MS - 1);
      const renewed = await holdLease(WALKS, 'name', held);
      expect(renewed).to.equal(time.nowMs + LEASE_MS);
      advance(LEASE_MS - 1);
      expect(await holdLease(WALKS, 'name', null)).to.equal(null);
      // What was renewed is no proof any more.
      expect(await holdLease(WALKS, 'name', held)).to.equal(null);
      advance(1);
      expect(await holdLease(WALKS, 'name', null)).to.equal(time.nowMs + LEASE_MS);
    });

    it('go to one of many who ask at once', async () => {
      const asked = await Promise.all(Array.from({ length: 8 }, () => holdLease(WALKS, 'name', null)));
      expect(asked.filter((end) => end !== null)).to.have.lengthOf(1);
    });
  });
});
