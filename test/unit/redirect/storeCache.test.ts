// stores: none
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { StoreUnresponsive } from '../../../src/kernel/storeResponse.ts';
import { StoreCache } from '../../../src/redirect/StoreCache.ts';

interface Thing {
  name: string;
}

describe('the cache of the store', () => {
  /** Questions that wait for their answer, by the key asked for. */
  let waiting: { key: string; answer(found: Thing | null): void; fail(): void }[];
  let asked: string[];
  let hangs: boolean;
  let things: StoreCache<Thing>;

  beforeEach(() => {
    [waiting, asked, hangs] = [[], [], false];
    things = new StoreCache<Thing>({
      max: 1000,
      ttlMs: () => 60_000,
      load(key) {
        asked.push(key);
        if (!hangs) return Promise.resolve(key.startsWith('no') ? null : { name: key });
        return new Promise((resolve, reject) =>
          waiting.push({ key, answer: resolve, fail: () => reject(new Error('down')) }),
        );
      },
    });
  });

  const rejection = (asking: Promise<unknown>) =>
    asking.then(
      () => null,
      (error) => error,
    );

  it('loads each key once, unknown ones too', async () => {
    expect(await things.find('a')).to.deep.equal({ name: 'a' });
    expect(await things.find('no')).to.equal(null);
    expect([things.peek('a'), things.peek('no')]).to.deep.equal([{ name: 'a' }, null]);
    await things.find('a');
    expect(asked).to.deep.equal(['a', 'no']);
  });

  it('evicts no value for a hundred thousand unknown keys, and serves it while the store is down', async () => {
    const [links, hosts] = [1000, 100].map((max) => {
      const load = async (key: string) => {
        if (hangs) throw new Error('down');
        return key.startsWith('no') ? null : { name: key };
      };
      return new StoreCache<Thing>({ max, ttlMs: () => 60_000, load });
    }) as [StoreCache<Thing>, StoreCache<Thing>];
    for (let number = 0; number < 1000; number += 1) await links.find(`link ${number}`);
    for (let number = 0; number < 100; number += 1) await hosts.find(`host ${number}`);
    for (let number = 0; number < 100_000; number += 1) expect(await links.find(`no ${number}`)).to.equal(null);
    for (let number = 0; number < 10_000; number += 1) expect(await hosts.find(`no ${number}`)).to.equal(null);
    expect(links.peek('no 99999')).to.equal(null);
    expect(links.peek('no 0')).to.equal(undefined);
    hangs = true;
    for (let number = 0; number < 1000; number += 1)
      expect(await links.find(`link ${number}`)).to.have.property('name');
    for (let number = 0; number < 100; number += 1) expect(await hosts.find(`host ${number}`)).to.have.property('name');
  });

  it('sees a new value for an unknown key, and a deleted one', async () => {
    let thing: Thing | null = null;
    const changing = new StoreCache<Thing>({ max: 10, ttlMs: () => 0, load: async () => thing });
    expect(await changing.find('a')).to.equal(null);
    thing = { name: 'a' };
    expect(await changing.find('a')).to.equal(thing);
    thing = null;
    expect(await changing.find('a')).to.equal(null);
    thing = { name: 'again' };
    await changing.find('a');
    changing.invalidate('a');
    expect(changing.peek('a')).to.equal(undefined);
  });

  it('returns no value read before a change to a caller after it', async () => {
    hangs = true;
    const before = things.find('a');
    things.expireAll();
    const after = things.find('a');
    expect(asked, 'a question of its own').to.deep.equal(['a', 'a']);
    const [old, fresh] = [{ name: 'old' }, { name: 'fresh' }];
    waiting[1]?.answer(fresh);
    expect(await after).to.equal(fresh);
    waiting[0]?.answer(old);
    expect(await before).to.equal(old);
    expect(things.peek('a'), 'what is kept').to.equal(fresh);
  });

  it('serves stale values while the store hangs, with one load for all callers, and keeps the late result', async () => {
    await things.find('a');
    things.expireAll();
    hangs = true;
    const startedAt = performance.now();
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => things.find('a')));
      expect(answers.every((found) => found?.name === 'a')).to.equal(true);
    }
    // The first round waits a moment for the store, the others don't.
    expect(performance.now() - startedAt).to.be.lessThan(1500);
    expect(asked).to.deep.equal(['a', 'a']);
    waiting[0]?.answer({ name: 'changed' });
    await delay(0);
    expect(things.peek('a')).to.deep.equal({ name: 'changed' });
  });

  it('waits a moment for the store before it serves a stale value', async () => {
    await things.find('a');
    things.expireAll();
    hangs = true;
    const asking = things.find('a');
    waiting[0]?.answer({ name: 'changed' });
    expect(await asking).to.deep.equal({ name: 'changed' });
  });

  it('serves stale values when the store fails', async () => {
    await things.find('a');
    things.expireAll();
    hangs = true;
    const asking = things.find('a');
    waiting[0]?.fail();
    expect(await asking).to.deep.equal({ name: 'a' });
  });

  it('rejects within two seconds for an uncached key, and never reports it as unknown', async () => {
    await things.find('no');
    things.expireAll();
    hangs = true;
    const startedAt = performance.now();
    const refusals = await Promise.all([rejection(things.find('no')), rejection(things.find('b'))]);
    expect(performance.now() - startedAt).to.be.greaterThan(1500);
    for (const refusal of refusals) expect(refusal).to.be.instanceOf(StoreUnresponsive);
    // It has waited long enough for that answer: the next one who asks is told at once.
    const again = performance.now();
    expect(await rejection(things.find('b'))).to.be.instanceOf(StoreUnresponsive);
    expect(performance.now() - again).to.be.lessThan(1000);
    expect(asked).to.deep.equal(['no', 'no', 'b']);
  });

  it('starts few loads while the store hangs, and any number when it is back', async () => {
    await things.find('known');
    things.expireAll();
    hangs = true;
    await rejection(things.find('b'));
    for (let number = 0; number < 50; number += 1) expect(await things.find('known')).to.deep.equal({ name: 'known' });
    void Promise.all(Array.from({ length: 50 }, (_, number) => rejection(things.find(`unknown ${number}`))));
    expect(waiting.length).to.be.lessThan(6);
    hangs = false;
    for (const { key, answer } of waiting) answer({ name: key });
    await delay(0);
    expect(await things.find('unknown 49')).to.deep.equal({ name: 'unknown 49' });
  });

  it('does not keep a result that is older than a change', async () => {
    hangs = true;
    const asking = things.find('a');
    things.invalidate('a');
    waiting[0]?.answer({ name: 'old' });
    await asking;
    expect(things.peek('a')).to.equal(undefined);
  });
});
