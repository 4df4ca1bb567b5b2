// stores: none
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { decideShare } from '../../../src/clicks/decideShare.ts';
import { ClickShares, SHARE_STORE } from '../../../src/redirect/ClickShares.ts';
import { makeClick } from '../../support/clicks.ts';
import { until } from '../../support/until.ts';

const LINK = 'lnk_01kaaaaaaaaaaaaaaaaaaaaaaa';
const limited = (clickLimit: number) => ({ id: LINK, clickLimit, clicks: 0 });

/** What the store knows of one link. Each call takes turns of the event loop. */
function makeStore(limit: number) {
  const rows = new Map<string, number>();
  const store = { limit, counted: 0, isAway: false, asked: 0, rows };
  const others = (holder: string) => [...rows].reduce((sum, [name, share]) => (name === holder ? sum : sum + share), 0);
  const answer = async () => {
    store.asked += 1;
    await nextTurn();
    if (store.isAway) throw new Error('away');
  };
  const calls: typeof SHARE_STORE = {
    ...SHARE_STORE,
    async leaseShare({ holder, needed, base }) {
      await answer();
      const own = base ?? rows.get(holder) ?? 0;
      const facts = { limit: store.limit, counted: store.counted, others: others(holder), own };
      const granted = decideShare({ ...facts, needed });
      rows.set(holder, own + granted);
      await nextTurn();
      const left = Math.max(0, store.limit - store.counted - facts.others - own - granted);
      return { granted, left, others: facts.others };
    },
    async readLeft(_, holder) {
      await answer();
      const left = store.limit - store.counted - others(holder) - (rows.get(holder) ?? 0);
      return { granted: 0, left: Math.max(0, left), others: others(holder) };
    },
    async settleShares(holder, shares) {
      await answer();
      for (const [, share] of shares) rows.set(holder, share);
      return new Set(shares.flatMap(([id, share]) => (share > 0 ? [id] : [])));
    },
    takeOverShares: async () => [],
    deleteOldShares: async () => {},
    recallShares: async () => {},
  };
  return { store, calls };
}

/** A process that follows the link for people, and what its journal holds. */
function makeProcess(holder: string, { store, calls }: ReturnType<typeof makeStore>) {
  const shares = new ClickShares({ holder, former: null, store: calls });
  const link = shares.trackRemembered(limited(store.limit));
  let waiting = 0;
  const visit = async (isPerson = true): Promise<'passed' | 'used up' | 'unavailable'> => {
    const sinceMs = performance.now();
    for (
      let wait = shares.admit(link, isPerson, sinceMs);
      wait !== null;
      wait = shares.admit(link, isPerson, sinceMs)
    ) {
      const isKnown = await wait.then(
        () => true,
        () => false,
      );
      if (!isKnown) return 'unavailable';
    }
    if (link.clicks >= link.clickLimit) return 'used up';
    if (isPerson) {
      shares.countPerson(LINK, true);
      waiting += 1;
    }
    return 'passed';
  };
  const drain = () => {
    const clicks = Array.from({ length: waiting }, () => makeClick({ projectId: 'prj', linkId: LINK }));
    waiting = 0;
    return shares.whileStoring(clicks, async () => {
      await nextTurn();
      store.counted += clicks.length;
      store.rows.set(holder, Math.max(0, (store.rows.get(holder) ?? 0) - clicks.length));
      await nextTurn();
    });
  };
  return { shares, visit, drain, stop: () => shares.stop() };
}

describe('shares of a click limit', () => {
  it('let through exactly as many people as the limit says, whatever is drained meanwhile', async () => {
    const step = fc.tuple(fc.constantFrom(0, 1, 2), fc.constantFrom('person', 'crowd', 'bot', 'drain', 'turn'));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 60 }), fc.array(step, { maxLength: 40 }), async (limit, steps) => {
        const world = makeStore(limit);
        const processes = [1, 2, 3].map((number) => makeProcess(`process ${number}`, world));
        const visits: Promise<string>[] = [];
        const running: Promise<unknown>[] = [];
        for (const [at, what] of steps) {
          const process = processes[at];
          if (!process) continue;
          if (what === 'person') visits.push(process.visit());
          if (what === 'crowd') visits.push(...Array.from({ length: 9 }, () => process.visit()));
          if (what === 'bot') running.push(process.visit(false));
          if (what === 'drain') running.push(process.drain());
          if (what === 'turn') await nextTurn();
        }
        const ends = await Promise.all(visits);
        await Promise.all(running);
        for (const process of processes) await process.drain();
        const passed = ends.filter((end) => end === 'passed').length;
        const held = [...world.store.rows.values()].reduce((sum, share) => sum + share, 0);
        expect(world.store.counted).to.equal(passed);
        expect(passed + held, 'counted and held').to.be.at.most(limit);
        // Whoever was refused could have had nothing but what another process holds.
        if (passed < ends.length) expect(passed + held).to.equal(limit);
        for (const process of processes) await process.stop();
        expect([...world.store.rows.values()].every((share) => share === 0)).to.equal(true);
      }),
      { numRuns: 100 },
    );
  });

  it('are what the journal holds when a process starts again, however long it takes to read that', async () => {
    const world = makeStore(32);
    world.store.rows.set('one', 20);
    const process = makeProcess('one', { ...world, calls: { ...world.calls, takeOverShares: async () => [LINK] } });
    async function* left() {
      for (let turn = 0; turn < 20; turn += 1) await nextTurn();
      const waiting = [1, 2, 3].map(() => makeClick({ projectId: 'prj', linkId: LINK }));
      yield { waiting, alreadyStored: [] };
    }
    await process.shares.countLeftovers(left());
    await until(() => world.store.rows.get('one') === 3, 'the share to be settled');
    expect(await process.visit()).to.equal('passed');
    await process.stop();
    expect(world.store.rows.get('one')).to.equal(4);
  });

  it('ask the store seldom while much is left', async () => {
    const world = makeStore(16_000);
    const process = makeProcess('one', world);
    for (let visitor = 0; visitor < 900; visitor += 1) expect(await process.visit()).to.equal('passed');
    expect(world.store.asked).to.equal(1);
    await process.stop();
  });

  it('let nobody through beyond them while the store is away, and bots as before', async () => {
    const world = makeStore(32);
    const process = makeProcess('one', world);
    expect(await process.visit()).to.equal('passed');
    world.store.isAway = true;
    expect([await process.visit(), await process.visit(), await process.visit(false)]).to.deep.equal([
      'passed',
      'unavailable',
      'passed',
    ]);
    world.store.isAway = false;
    expect(await process.visit()).to.equal('passed');
    await process.stop();
  });

  it('say that the limit is used up, not that the store is away, if the store has said so', async () => {
    const world = makeStore(1);
    const process = makeProcess('one', world);
    expect([await process.visit(), await process.visit()]).to.deep.equal(['passed', 'used up']);
    world.store.isAway = true;
    expect(await process.visit()).to.equal('used up');
    await process.stop();
  });
});

describe('the size of a share', () => {
  const facts = { limit: 1600, counted: 0, others: 0, own: 0, needed: 1 };
  const cases: [string, Partial<typeof facts>, number][] = [
    ['a sixteenth of what is left', {}, 100],
    ['what is needed, if that is more', { needed: 250 }, 250],
    ['one for each who waits, when few are left', { counted: 1590, needed: 3 }, 3],
    ['no more than is left', { counted: 1598, needed: 3 }, 2],
    ['nothing when all is held', { others: 1000, own: 600 }, 0],
    ['nothing when the limit was lowered below what is counted', { limit: 10, counted: 12 }, 0],
    ['nothing for one who only looks', { needed: 0 }, 0],
    ['what is needed of a limit that was taken away', { limit: Number.POSITIVE_INFINITY, needed: 4 }, 4],
  ];
  for (const [what, given, granted] of cases)
    it(`is ${what}`, () => expect(decideShare({ ...facts, ...given })).to.equal(granted));
});
