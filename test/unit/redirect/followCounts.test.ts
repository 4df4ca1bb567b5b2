// stores: none
import { expect } from 'chai';
import { FollowCounts, faded } from '../../../src/redirect/FollowCounts.ts';

const DAY_MS = 86_400_000;

describe('counts of followed links', () => {
  it('ranks the most followed first', async () => {
    const counts = new FollowCounts(100);
    for (const id of ['b', 'a', 'b', 'c', 'a', 'b']) counts.count(id);
    expect(await counts.ranked()).to.deep.equal(['b', 'a', 'c']);
    expect(await counts.top(2)).to.deep.equal([
      ['b', 3],
      ['a', 2],
    ]);
  });

  it('adds what was followed through other processes, but passes on its own alone', async () => {
    const counts = new FollowCounts(100);
    counts.count('mine');
    counts.count('both');
    counts.setElsewhere(
      new Map([
        ['theirs', 1.5],
        ['both', 4],
      ]),
    );
    expect(await counts.ranked()).to.deep.equal(['both', 'theirs', 'mine']);
    expect(await counts.top(10)).to.have.deep.members([
      ['mine', 1],
      ['both', 1],
    ]);
    expect(counts.of('theirs')).to.equal(0);
  });

  it('halves what is a day old, and ignores a clock that was turned back', () => {
    expect(faded(8, 0)).to.equal(8);
    expect(faded(8, DAY_MS)).to.equal(4);
    expect(faded(8, 3 * DAY_MS)).to.equal(1);
    expect(faded(8, -DAY_MS)).to.equal(8);
  });

  it('passes on nothing that has faded', async () => {
    const counts = new FollowCounts(100);
    counts.add('old', 0.05);
    counts.add('new', 1);
    expect(await counts.top(10)).to.deep.equal([['new', 1]]);
  });

  it('forgets those that were followed first where there is no room for all, and counts on what it keeps', async () => {
    const counts = new FollowCounts(3);
    for (const id of ['first', 'a', 'b', 'c', 'a', 'd', 'e', 'f', 'a']) counts.count(id);
    const ranked = await counts.ranked();
    expect(ranked[0]).to.equal('a');
    expect(ranked).to.include.members(['d', 'e', 'f']).and.not.include('first');
    expect(counts.of('a')).to.be.closeTo(3, 0.01);
    for (let at = 0; at < 1000; at += 1) counts.count(`other-${at}`);
    expect((await counts.ranked()).length).to.be.within(3, 6);
  });

  it('ranks 100,000 links, one of which has any number of follows', async () => {
    const counts = new FollowCounts(100_000);
    for (let at = 0; at < 100_000; at += 1) counts.add(`lnk_${at}`, at % 1000);
    counts.add('lnk_7', Number.MAX_SAFE_INTEGER);
    const ranked = await counts.ranked();
    expect(new Set(ranked)).to.have.property('size', 100_000);
    expect(ranked[0]).to.equal('lnk_7');
    expect(counts.of(ranked[1] as string))
      .to.equal(counts.of(ranked[100] as string))
      .and.be.closeTo(999, 0.1);
    expect(counts.of(ranked.at(-1) as string)).to.equal(0);
  });
});
