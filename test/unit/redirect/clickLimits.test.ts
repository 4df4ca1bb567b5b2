// stores: none
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
  it('leaves a link without a limit as it is, without a query', async () => {
    const limits = new ClickLimits(() => Promise.reject(new Error('asked')));
    const link = { id: LINK, clickLimit: null, clicks: 7 };
    expect(await limits.track(link)).to.equal(link);
    expect(Object.getOwnPropertyDescriptor(link, 'clicks')).to.include({ value: 7 });
  });

  it('counts a person at once, and exactly once when the click is stored', async () => {
    const store = makeStoreOf(3);
    const limits = new ClickLimits(store.ask);
    const link = await limits.track(limited());
    expect(link.clicks).to.equal(3);
    limits.countPerson(LINK);
    limits.countPerson(LINK);
    expect(link.clicks).to.equal(5);
    await limits.whileStoring([click({ linkId: LINK })], store.add(1));
    expect(link.clicks).to.equal(5);
    const later = await limits.track(limited());
    expect([later.clicks, link.clicks]).to.deep.equal([5, 5]);
  });

  it('counts people from before the link had a limit', async () => {
    const limits = new ClickLimits(makeStoreOf(0).ask);
    limits.countPerson(LINK);
    expect((await limits.track(limited())).clicks).to.equal(1);
  });

  it('does not count bots', async () => {
    const store = makeStoreOf(0);
    const limits = new ClickLimits(store.ask);
    const link = await limits.track(limited());
    limits.countPerson(LINK);
    await limits.whileStoring([click({ linkId: LINK, trafficClass: 'bot' })], store.add(0));
    expect(link.clicks).to.equal(1);
  });

  it('keeps counting clicks that could not be stored', async () => {
    const store = makeStoreOf(0);
    const limits = new ClickLimits(store.ask);
    const link = await limits.track(limited());
    limits.countPerson(LINK);
    const failing = limits.whileStoring([click({ linkId: LINK })], () => Promise.reject(new Error('down')));
    expect(await failing.catch((error: Error) => error.message)).to.equal('down');
    expect(link.clicks).to.equal(1);
  });

  it('counts what an earlier process left in the journal, but not clicks already stored', async () => {
    const store = makeStoreOf(1);
    const limits = new ClickLimits(store.ask);
    const [arrived, waits] = [click({ linkId: LINK }), click({ linkId: LINK })];
    async function* left() {
      await nextTurn();
      yield { waiting: [waits], alreadyStored: [arrived.id] };
    }
    void limits.countLeftovers(left());
    const link = await limits.track(limited());
    expect(link.clicks).to.equal(2);
    await limits.whileStoring([arrived, waits], store.add(1));
    expect([link.clicks, (await limits.track(limited())).clicks]).to.deep.equal([2, 2]);
  });

  it('is right for any order of visits, storing and loading', async () => {
    const step = fc.constantFrom('person', 'bot', 'store', 'load', 'turn');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const store = makeStoreOf(0);
        const limits = new ClickLimits(store.ask);
        const running: Promise<unknown>[] = [];
        const journal: Click[] = [];
        let people = 0;
        let link = await limits.track(limited());
        for (const next of steps) {
          if (next === 'person') {
            people += 1;
            limits.countPerson(LINK);
          }
          if (next === 'person' || next === 'bot')
            journal.push(click({ linkId: LINK, trafficClass: next === 'bot' ? 'bot' : 'human' }));
          if (next === 'store') {
            const taken = journal.splice(0, 3);
            const humans = taken.filter(({ trafficClass }) => trafficClass === 'human').length;
            running.push(limits.whileStoring(taken, store.add(humans)));
          }
          if (next === 'load')
            running.push(
              limits.track(limited()).then((loaded) => {
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
