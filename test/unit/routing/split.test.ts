// stores: none
import { expect } from 'chai';
import { decide } from '../../../src/routing/decide.ts';
import { compiled, NOW, visitor } from './stored.ts';

interface Entry {
  name?: string;
  weight: number;
}

const VISITORS = Array.from({ length: 20_000 }, (_, index) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
const SOME = VISITORS.slice(0, 4000);
const ID = 'lnk_01h455vb4pex5vsknk084sn02q';
const THREE: Entry[] = [
  { name: 'a', weight: 50 },
  { name: 'b', weight: 30 },
  { name: 'c', weight: 20 },
];

/** The side of every visitor in turn. */
function sides(entries: Entry[], { of = VISITORS, id = ID, who = visitor() } = {}): string[] {
  const split = entries.map((entry, at) => ({ ...entry, destination: `https://${at}.test/` }));
  const link = compiled({ id, routing: { split } });
  return of.map((addressKey) => {
    const outcome = decide(link, who, NOW, { query: '', country: null, addressKey });
    return outcome.kind === 'redirect' ? (outcome.rule ?? '') : outcome.kind;
  });
}

function shareOf(name: string, found: string[]): number {
  return found.filter((side) => side === name).length / found.length;
}

/** Those who are elsewhere afterwards, as [before, after]. */
function moved(before: string[], after: string[]): [string, string][] {
  return before.flatMap((side, at) =>
    side === after[at] ? [] : [[side, after[at] as string] satisfies [string, string]],
  );
}

/** Five standard deviations: a fair draw misses this once in two million times. */
function bound(share: number, draws: number): number {
  return 5 * Math.sqrt((share * (1 - share)) / draws);
}

/** [what, weights] */
const WEIGHTS: [string, number[]][] = [
  ['80 and 20', [80, 20]],
  ['one and one', [1, 1]],
  ['one in a hundred', [1, 99]],
  ['three', [50, 30, 20]],
  ['large and small', [1_000_000, 1, 500_000]],
  ['twenty', Array.from({ length: 20 }, (_, at) => at + 1)],
];

describe('a split of 20,000 visitors', () => {
  for (const [what, weights] of WEIGHTS) {
    it(`holds its weights: ${what}`, () => {
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      const found = sides(weights.map((weight) => ({ weight })));
      for (const [at, weight] of weights.entries()) {
        const share = weight / total;
        const near = bound(share, VISITORS.length) + 1 / VISITORS.length;
        expect(shareOf(`split ${at + 1}`, found), `entry ${at + 1}`).to.be.closeTo(share, near);
      }
    });
  }

  it('holds its weights if entries share a name', () => {
    const split = [1, 3].map((weight, at) => ({ name: 'a', weight, destination: `https://${at}.test/` }));
    const link = compiled({ routing: { split } });
    const first = SOME.filter((addressKey) => {
      const outcome = decide(link, visitor(), NOW, { query: '', country: null, addressKey });
      return outcome.kind === 'redirect' && outcome.configured === 'https://0.test/';
    });
    expect(first.length / SOME.length).to.be.closeTo(0.25, bound(0.25, SOME.length));
  });

  it('keeps each on one side, at any time and with any query', () => {
    const link = compiled({ routing: { split: THREE.map((entry) => ({ ...entry, destination: 'https://x.test/' })) } });
    const before = sides(THREE, { of: SOME });
    for (const [at, addressKey] of SOME.entries()) {
      const request = { query: `v=${at}`, country: 'DE', addressKey };
      expect(decide(link, visitor({ language: 'de' }), NOW + at, request)).to.include({ rule: before[at] });
    }
  });

  it('moves only visitors to a raised weight, and no more than needed', () => {
    const before = sides(THREE);
    const after = sides([{ name: 'a', weight: 100 }, ...THREE.slice(1)]);
    const all = moved(before, after);
    expect(all.filter(([, to]) => to !== 'a')).to.deep.equal([]);
    const needed = 100 / 150 - 50 / 100;
    expect(all.length / VISITORS.length).to.be.closeTo(needed, bound(needed, VISITORS.length));
  });

  it('moves only visitors from a lowered weight, and no more than needed', () => {
    const before = sides(THREE);
    const after = sides([THREE[0] as Entry, { name: 'b', weight: 10 }, THREE[2] as Entry]);
    const all = moved(before, after);
    expect(all.filter(([from]) => from !== 'b')).to.deep.equal([]);
    const needed = 30 / 100 - 10 / 80;
    expect(all.length / VISITORS.length).to.be.closeTo(needed, bound(needed, VISITORS.length));
  });

  it('moves nobody if weights stay in proportion or entries are reordered', () => {
    const before = sides(THREE);
    expect(sides(THREE.map(({ name, weight }) => ({ name: name as string, weight: weight * 7 })))).to.deep.equal(
      before,
    );
    expect(sides([...THREE].reverse())).to.deep.equal(before);
  });

  it('moves only visitors to a new entry and from a removed one', () => {
    const before = sides(THREE);
    const all = moved(before, sides([{ name: 'd', weight: 25 }, ...THREE]));
    expect(all.filter(([, to]) => to !== 'd')).to.deep.equal([]);
    expect(all.length / VISITORS.length).to.be.closeTo(0.2, bound(0.2, VISITORS.length));
    const gone = moved(before, sides(THREE.slice(1)));
    expect(gone.filter(([from]) => from !== 'a')).to.deep.equal([]);
  });

  it('distinguishes visitors of one address by their agents', () => {
    const byAgent = SOME.flatMap((_, hash) => sides(THREE, { of: ['one'], who: visitor({ agentHash: hash * 7919 }) }));
    expect(shareOf('c', byAgent)).to.be.closeTo(0.2, bound(0.2, SOME.length));
  });

  it('does not put neighbouring addresses on the same side', () => {
    const found = sides([{ weight: 1 }, { weight: 1 }]);
    const alike = found.filter((side, at) => side === found[at + 1]).length / found.length;
    expect(alike).to.be.closeTo(0.5, bound(0.5, VISITORS.length));
  });

  it('of one link is independent of that of another', () => {
    const one = sides(THREE);
    const other = sides(THREE, { id: 'lnk_01h455vb4pex5vsknk084sn02r' });
    const alike = one.filter((side, at) => side === other[at]).length / one.length;
    expect(alike).to.be.closeTo(0.38, bound(0.38, VISITORS.length));
  });
});
