// stores: none
import { expect } from 'chai';
import { deriveId, isId, newId, sameUuid, toUuid } from '../../../src/kernel/ids.ts';

describe('ids', () => {
  it('are TypeIDs that sort by the time of their making', () => {
    const ids = Array.from({ length: 100 }, () => newId('lnk'));
    expect(ids.every((id) => isId('lnk', id))).to.equal(true);
    expect([...ids].sort()).to.deep.equal(ids);
  });

  it('are told from what is none', () => {
    for (const value of ['', 'lnk_', 'lnk_x', newId('tag'), `${newId('lnk')}0`, newId('lnk').toUpperCase()]) {
      expect(isId('lnk', value), value).to.equal(false);
    }
  });

  it('derived from the same parts are the same, and keep the time of the first part', () => {
    const event = newId('evt');
    expect(deriveId('dlv', event, 'a')).to.equal(deriveId('dlv', event, 'a'));
    expect(deriveId('dlv', event, 'a')).not.to.equal(deriveId('dlv', event, 'b'));
    expect(isId('dlv', deriveId('dlv', event, 'a'))).to.equal(true);
    expect(toUuid(deriveId('dlv', event, 'a')).slice(0, 13)).to.equal(toUuid(event).slice(0, 13));
    expect(toUuid(sameUuid('clk', event))).to.equal(toUuid(event));
  });
});
