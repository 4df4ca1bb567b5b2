// stores: each
import { expect } from 'chai';
import type { RateLimiterRes } from 'rate-limiter-flexible';
import { attemptCounter, LocalCounter, purgeQuotas, sharedCounter } from '../../../src/access/counters.ts';
import { createLimiter } from '../../../src/access/limiters.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { type OpenStore, openStore } from '../../support/store.ts';
import { STORE } from '../../support/stores.ts';

const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1000;
const TWO_HOURS_MS = 7_200_000;

describe('counts of requests and attempts, when a clock is set back by two hours or the store does not answer', () => {
  const systemClock = Date.now;
  let store: OpenStore;
  let names = 0;

  before(async () => {
    store = await openStore();
  });
  after(() => store.close());
  afterEach(() => {
    Date.now = systemClock;
  });

  const setBack = () => {
    Date.now = () => systemClock() - TWO_HOURS_MS;
  };
  const newOptions = (points: number) => ({ keyPrefix: `test${names++}`, points, duration: WINDOW_SECONDS });
  const refusalOf = (asked: Promise<RateLimiterRes>) => asked.then(() => null).catch((refusal) => refusal);

  it('keep to the window that had begun, and tell no longer wait than that', async () => {
    const limiter = createLimiter(`test${names++}`, 300, WINDOW_SECONDS);
    expect(await limiter.consume('a', 1)).to.include({ consumed: 1 });
    setBack();
    for (let taken = 2; taken <= 10; taken += 1) {
      const state = await limiter.consume('a', 1);
      expect(state.consumed).to.equal(taken);
      expect(state.msToReset).to.be.within(WINDOW_MS - 30_000, WINDOW_MS);
    }
  });

  it('refuse no longer than the window, also what is refused from memory', async () => {
    const options = newOptions(2);
    const counter =
      STORE === 'sqlite' ? new LocalCounter(options) : sharedCounter({ ...options, inMemoryBlockOnConsumed: 4 });
    for (let taken = 0; taken < 6; taken += 1) await refusalOf(counter.consume('a'));
    setBack();
    const refusal = await refusalOf(counter.consume('a'));
    expect(refusal.msBeforeNext).to.be.within(1, WINDOW_MS);
  });

  it('of attempts go on where they were while the store is away', async () => {
    const counter = attemptCounter(newOptions(3));
    await counter.consume('a');
    await counter.consume('a');
    await counter.reward('a');
    await store.goAway();
    for (let taken = 2; taken <= 3; taken += 1) await counter.consume('a');
    const refusal = await refusalOf(counter.consume('a') as Promise<RateLimiterRes>);
    await store.comeBack();
    expect(refusal?.consumedPoints).to.equal(4);
  });

  describe('in PostgreSQL', () => {
    before(function () {
      if (STORE === 'sqlite') this.skip();
    });

    it('begin anew where the stored window ends later than one that begins now', async () => {
      const options = newOptions(2);
      const key = `${options.keyPrefix}:a`;
      const insert = 'INSERT INTO rate_limits (key, points, expire) VALUES ($1, 99, $2) RETURNING key';
      await queryRaw(insert, [key, systemClock() + TWO_HOURS_MS]);
      const { consumedPoints, msBeforeNext } = await sharedCounter(options).consume('a');
      expect({ consumedPoints, msBeforeNext }).to.deep.equal({ consumedPoints: 1, msBeforeNext: WINDOW_MS });
    });

    it('count each of many that are sent at once', async () => {
      for (let round = 0; round < 25; round += 1) {
        const counter = sharedCounter(newOptions(3));
        const refusals = await Promise.all(Array.from({ length: 12 }, () => refusalOf(counter.consume('a'))));
        expect(refusals.filter((refusal) => refusal === null)).to.have.length(3);
      }
    });

    it('count on in a window that began while the statement waited for its row', async () => {
      const options = newOptions(10);
      const key = `${options.keyPrefix}:a`;
      await sharedCounter(options).consume('a');
      let counted: Promise<RateLimiterRes> | undefined;
      await inTransaction(async (transaction) => {
        await queryRaw('SELECT key FROM rate_limits WHERE key = $1 FOR UPDATE', [key], transaction);
        counted = sharedCounter(options).consume('a');
        await queryRaw('SELECT pg_sleep(0.2)', [], transaction);
        const renew = `UPDATE rate_limits SET points = 5,
          expire = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${WINDOW_MS} WHERE key = $1 RETURNING key`;
        await queryRaw(renew, [key], transaction);
      });
      expect((await counted)?.consumedPoints).to.equal(6);
    });

    it('share a window among processes whose clocks differ', async () => {
      const options = newOptions(10);
      await sharedCounter(options).consume('a', 4);
      setBack();
      const other = await sharedCounter(options).consume('a', 4);
      expect(other.consumedPoints).to.equal(8);
      expect(other.msBeforeNext).to.be.within(WINDOW_MS - 30_000, WINDOW_MS);
      Date.now = () => systemClock() + TWO_HOURS_MS;
      expect((await refusalOf(sharedCounter(options).consume('a', 4)))?.consumedPoints).to.equal(12);
    });

    it('are read, given back, blocked and forgotten as before', async () => {
      const counter = sharedCounter({ ...newOptions(2), blockDuration: 2 * WINDOW_SECONDS });
      expect(await counter.get('a')).to.equal(null);
      await counter.consume('a', 2);
      expect((await counter.reward('a')).consumedPoints).to.equal(1);
      expect((await counter.get('a'))?.consumedPoints).to.equal(1);
      for (let taken = 2; taken <= 4; taken += 1) {
        const refusal = await refusalOf(counter.consume('a'));
        if (taken > 2) expect(refusal?.msBeforeNext).to.be.within(WINDOW_MS + 1, 2 * WINDOW_MS);
      }
      await counter.delete('a');
      expect((await counter.consume('a')).consumedPoints).to.equal(1);
    });
  });
});

describe('counts of past windows', () => {
  let store: OpenStore;
  before(async () => {
    store = await openStore();
  });
  after(() => store.close());

  it('are deleted, so many at a time; others stay', async () => {
    const insert = 'INSERT INTO rate_limits (key, points, expire) VALUES ($1, 1, $2) RETURNING key';
    await inTransaction(async (transaction) => {
      for (let at = 0; at < 501; at += 1) await queryRaw(insert, [`over ${at}`, 1], transaction);
      await queryRaw(insert, ['open', Date.now() + 60_000], transaction);
    });
    expect(await purgeQuotas(500)).to.equal(true);
    expect(await purgeQuotas(500)).to.equal(false);
    expect(await queryRaw('SELECT key FROM rate_limits', [])).to.deep.equal([{ key: 'open' }]);
  });
});
