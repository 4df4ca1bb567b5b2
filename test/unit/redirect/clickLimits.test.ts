import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Click } from '../../../src/clicks/click.ts';
import { ClickLimits } from '../../../src/redirect/ClickLimits.ts';
import { makeClick } from '../../support/clicks.ts';

const LINK = 'lnk_01kaaaaaaaaaaaaaaaaaaaaaaa';
const click = (values: Partial<Click> = {}) => makeClick({ projectId: 'prj_01kaaaaaaaaaaaaaaaaaaaaaaa', ...values });

/** What the store has, asked and written in more than one turn. */
function makeStoreOf(clicks: number) {
  const store = {
    clicks,
    async ask() {
      await nextTurn();
      const { clicks: now } = store;
      await nextTurn();
      return now;
    },
    add: (count: number) => async () => {
      await nextTurn();
      store.clicks += count;
      await nextTurn();
    },
  };
  return store;
}

const limited = () => ({ id: LINK, clickLimit: 10, clicks: 0 });

describe('clicks of links with a limit', () => {
  it('leaves a link without one as it is, and asks nothing', async () => {
    const limits = new ClickLimits(() => Promise.reject(new Error('asked')));
    const link = { id: LINK, clickLimit: null, clicks: 7 };
    expect(await limits.follow(link)).to.equal(link);
    expect(Object.getOwnPropertyDescriptor(link, 'clicks')).to.include({ value: 7 });
  });

  it('counts a person at once, and neither twice nor less when the click is stored', async () => {
    const store = makeStoreOf(3);
    const limits = new ClickLimits(store.ask);
    const link = await limits.follow(limited());
    expect(link.clicks).to.equal(3);
    limits.raise(LINK);
    limits.raise(LINK);
    expect(link.clicks).to.equal(5);
    await limits.storing([click({ linkId: LINK })], store.add(1));
    expect(link.clicks).to.equal(5);
    const later = await limits.follow(limited());
    expect([later.clicks, link.clicks]).to.deep.equal([5, 5]);
  });

  it('counts people from before the link had a limit', async () => {
    const limits = new ClickLimits(makeStoreOf(0).ask);
    limits.raise(LINK);
    expect((await limits.follow(limited())).clicks).to.equal(1);
  });

  it('takes no bots for people', async () => {
    const store = makeStoreOf(0);
    const limits = new ClickLimits(store.ask);
    const link = await limits.follow(limited());
    limits.raise(LINK);
    await limits.storing([click({ linkId: LINK, trafficClass: 'bot' })], store.add(0));
    expect(link.clicks).to.equal(1);
  });

  it('goes on counting what the store did not take', async () => {
    const store = makeStoreOf(0);
    const limits = new ClickLimits(store.ask);
    const link = await limits.follow(limited());
    limits.raise(LINK);
    const failing = limits.storing([click({ linkId: LINK })], () => Promise.reject(new Error('down')));
    expect(await failing.catch((error: Error) => error.message)).to.equal('down');
    expect(link.clicks).to.equal(1);
  });

  it('counts what an earlier process left, but not twice what had reached the store', async () => {
    const store = makeStoreOf(1);
    const limits = new ClickLimits(store.ask);
    const [arrived, waits] = [click({ linkId: LINK }), click({ linkId: LINK })];
    async function* left() {
      await nextTurn();
      yield { waiting: [waits], alreadyStored: [arrived.id] };
    }
    void limits.countLeft(left());
    const link = await limits.follow(limited());
    expect(link.clicks).to.equal(2);
    await limits.storing([arrived, waits], store.add(1));
    expect([link.clicks, (await limits.follow(limited())).clicks]).to.deep.equal([2, 2]);
  });

  it('is right in whatever order people come, clicks are stored and the link is loaded', async () => {
    const step = fc.constantFrom('person', 'bot', 'store', 'load', 'turn');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const store = makeStoreOf(0);
        const limits = new ClickLimits(store.ask);
        const running: Promise<unknown>[] = [];
        const journal: Click[] = [];
        let people = 0;
        let link = await limits.follow(limited());
        for (const next of steps) {
          if (next === 'person') {
            people += 1;
            limits.raise(LINK);
          }
          if (next === 'person' || next === 'bot')
            journal.push(click({ linkId: LINK, trafficClass: next === 'bot' ? 'bot' : 'human' }));
          if (next === 'store') {
            const taken = journal.splice(0, 3);
            const humans = taken.filter(({ trafficClass }) => trafficClass === 'human').length;
            running.push(limits.storing(taken, store.add(humans)));
          }
          if (next === 'load')
            running.push(
              limits.follow(limited()).then((loaded) => {
                link = loaded;
                expect(link.clicks).to.equal(people);
              }),
            );
          if (next === 'turn') await nextTurn();
          expect(link.clicks).to.equal(people);
        }
        await Promise.all(running);
        expect(link.clicks).to.equal(people);
      }),
      { numRuns: 200 },
    );
  });
});
