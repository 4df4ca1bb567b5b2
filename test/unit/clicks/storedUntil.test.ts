// stores: each
import { expect } from 'chai';
import { startDrain } from '../../../src/clicks/drain.ts';
import { storedUntil } from '../../../src/clicks/storedUntil.ts';
import { sqlTime } from '../../../src/db/jsonRows.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { stopClock } from '../../support/stopClock.ts';
import { type OpenStore, openStore } from '../../support/store.ts';
import { STORE } from '../../support/stores.ts';

const MINUTE_MS = 60_000;
const NEVER_MS = 3_600_000;

describe('the moment before which all clicks are in the store', () => {
  let store: OpenStore;
  before(async () => {
    store = await openStore();
  });
  after(() => store.close());
  afterEach(() => clock.reset());

  const emptyJournal = { seal: async () => [], read: async function* () {}, remove: async () => {} };

  it('is now, when this process has moved its own there', async () => {
    const time = stopClock();
    const drain = startDrain({ journal: emptyJournal, everyMs: NEVER_MS, folder: store.dataDir });
    time.move(3600);
    expect(await storedUntil()).to.equal(time.nowMs);
    await drain.stop();
  });

  it('stays behind while this process cannot move them, for 45 minutes at most', async () => {
    const time = stopClock();
    let isBroken = false;
    const seal = async () => {
      if (isBroken) throw new Error('no store');
      return [];
    };
    const drain = startDrain({ journal: { ...emptyJournal, seal }, everyMs: NEVER_MS, folder: store.dataDir });
    await drain.drainNow();
    const drainedMs = time.nowMs;
    isBroken = true;
    time.move(40 * 60);
    expect(await storedUntil()).to.equal(drainedMs);
    time.move(20 * 60);
    expect(await storedUntil()).to.equal(time.nowMs - 45 * MINUTE_MS);
    isBroken = false;
    await drain.stop();
  });

  it('waits for other processes, which say how far they are until they stop', async function () {
    // SQLite has one process.
    if (STORE === 'sqlite') return this.skip();
    const time = stopClock();
    const note = (atMs: number) =>
      inTransaction((transaction) =>
        queryRaw(
          `INSERT INTO click_drains (name, drained_until) VALUES ('other', $1)
           ON CONFLICT (name) DO UPDATE SET drained_until = excluded.drained_until`,
          [sqlTime(atMs)],
          transaction,
        ),
      );
    await note(time.nowMs - 10 * MINUTE_MS);
    expect(await storedUntil()).to.equal(time.nowMs - 10 * MINUTE_MS);
    await note(time.nowMs - 100 * MINUTE_MS);
    expect(await storedUntil()).to.equal(time.nowMs - 45 * MINUTE_MS);
    const names = async () => (await queryRaw<{ name: string }>('SELECT name FROM click_drains', [])).length;
    const drain = startDrain({ journal: emptyJournal, everyMs: NEVER_MS, folder: store.dataDir });
    await drain.drainNow();
    expect(await names()).to.equal(2);
    await note(time.nowMs - 48 * 60 * MINUTE_MS);
    await drain.stop();
    expect(await names()).to.equal(0);
  });
});
