// stores: none
import { expect } from 'chai';
import { clock } from '../../../src/kernel/clock.ts';
import { isId, newClickId, toUuid } from '../../../src/kernel/ids.ts';

describe('click ids', () => {
  afterEach(() => clock.reset());

  it('are TypeIDs of a UUIDv7 that holds the time', () => {
    clock.use({ now: () => Date.UTC(2026, 10, 21, 12, 30) });
    for (let round = 0; round < 2000; round += 1) {
      const id = newClickId();
      const uuid = toUuid(id);
      expect(isId('clk', id), id).to.equal(true);
      expect(Number.parseInt(uuid.replace('-', '').slice(0, 12), 16)).to.equal(Date.UTC(2026, 10, 21, 12, 30));
      expect(uuid).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  it('are all different', () => {
    const ids = new Set(Array.from({ length: 100_000 }, newClickId));
    expect(ids.size).to.equal(100_000);
  });
});
