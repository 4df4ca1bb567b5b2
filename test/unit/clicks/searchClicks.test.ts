// stores: each
import { expect } from 'chai';
import { type ClickSearch, searchClicks } from '../../../src/clicks/clickListStore.ts';
import { storeClicks } from '../../../src/clicks/clickStore.ts';
import type { KeysetPosition } from '../../../src/db/paging.ts';
import { makeClick, makeProject } from '../../support/clicks.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

const FROM = Date.parse('2026-11-01T12:00:00Z');
const CLICKS = 60;

describe('A search for rare clicks', () => {
  let store: OpenStore;
  let search: ClickSearch;

  // One in twenty is from Austria.
  before(async () => {
    store = await openStore();
    const { id: projectId } = await makeProject();
    const clicks = Array.from({ length: CLICKS }, (_, at) =>
      makeClick({ projectId, occurredAt: FROM + Math.floor(at / 3), country: at % 20 === 0 ? 'AT' : 'DE' }),
    );
    await storeClicks(clicks, { listening: () => false });
    const tests = [{ dimension: 'country' as const, keys: ['AT'], isExcluding: false }];
    search = { projectId, fromMs: FROM, toMs: FROM + CLICKS, tests };
  });

  after(() => store.close());

  it('stops after so many clicks, and goes on where it stopped', async () => {
    const found: string[] = [];
    const sizes: number[] = [];
    let after: KeysetPosition | null = null;
    do {
      const { rows, end } = await searchClicks(search, after, 10, [5, 10]);
      found.push(...rows.map(({ id }) => id));
      sizes.push(rows.length);
      after = end;
    } while (after);
    expect(sizes).to.deep.equal([0, 1, 1, 1, 0]);
    expect(new Set(found).size).to.equal(3);
  });

  it('goes on from slice to slice until there are as many as wanted', async () => {
    const { rows, end } = await searchClicks(search, null, 2, [5, 10, 30, 60]);
    expect([rows.length, end]).to.deep.equal([2, null]);
  });

  it('never leaves its range, whatever a cursor says', async () => {
    const range = { ...search, tests: [], fromMs: FROM + 5, toMs: FROM + 8 };
    const { rows } = await searchClicks(range, { value: new Date(FROM + 15), id: 'clk_z' }, 100);
    expect(rows.map(({ occurredAt }) => occurredAt.getTime() - FROM)).to.deep.equal([7, 7, 7, 6, 6, 6, 5, 5, 5]);
  });
});
