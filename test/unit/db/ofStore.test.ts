// stores: any
import { expect } from 'chai';
import { givenToStore, ofStore } from '../../../src/db/ofStore.ts';
import { whileSame } from '../../../src/kernel/memoize.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

describe('what belongs to a store', () => {
  let store: OpenStore;
  before(async () => {
    store = await openStore();
  });
  after(() => store.close());

  it('is made once for each store that is opened, and closed before it', async () => {
    const closed: number[] = [];
    let made = 0;
    const number = ofStore(
      () => {
        made += 1;
        return made;
      },
      (value) => closed.push(value),
    );
    expect([number(), number()]).to.deep.equal([1, 1]);
    await store.goAway();
    expect(closed).to.deep.equal([1]);
    expect(() => number()).to.throw('The database is not open');
    await store.comeBack();
    expect(number()).to.equal(2);
  });

  it('is given to it once it is open, and is not there for the next one', async () => {
    const rules = givenToStore<string>('useRules');
    expect(() => rules.get()).to.throw('useRules() has not run');
    rules.give('rules');
    expect(rules.get()).to.equal('rules');
    await store.goAway();
    await store.comeBack();
    expect(() => rules.get()).to.throw('useRules() has not run');
  });
});

describe('what is made of a setting', () => {
  it('is made again when that changes, and what it replaces is discarded', () => {
    const discarded: string[] = [];
    let setting = 'a';
    const value = whileSame(
      () => setting,
      (given) => ({ given }),
      ({ given }) => discarded.push(given),
    );
    const first = value();
    expect(value()).to.equal(first);
    setting = 'b';
    expect(value()).to.deep.equal({ given: 'b' });
    expect(discarded).to.deep.equal(['a']);
  });
});
