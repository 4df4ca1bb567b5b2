// stores: none
import { expect } from 'chai';
import { Places, SHARED, shareOf, shareUsedUp } from '../../../src/access/shares.ts';
import { takeTurns } from '../../../src/kernel/concurrency.ts';
import { loadConfig } from '../../../src/kernel/config.ts';
import type { CodedError } from '../../../src/kernel/errors.ts';

describe('what all teams share', () => {
  before(() => void loadConfig({ LIVE_CONNECTIONS: '30' }));

  const codeOf = (work: () => void) => {
    try {
      work();
      return 'taken';
    } catch (error) {
      return (error as CodedError).code;
    }
  };

  it('has places, a tenth of them for one team and one person, whatever the other one has', () => {
    const places = new Places('clickStreams');
    const take = (teamId: string, personId: string) => codeOf(() => places.take({}, { teamId, personId }));
    const first = {};
    places.take(first, { teamId: 'team_a', personId: 'usr_a' });
    expect([take('team_a', 'usr_b'), take('team_a', 'usr_c'), take('team_a', 'usr_d')]).to.deep.equal([
      'taken',
      'taken',
      'rate_limited',
    ]);
    expect([take('team_b', 'usr_a'), take('team_c', 'usr_a'), take('team_d', 'usr_a')]).to.deep.equal([
      'taken',
      'taken',
      'rate_limited',
    ]);
    places.leave(first);
    expect(take('team_a', 'usr_a')).to.equal('taken');
  });

  it('has an end for all together', () => {
    const places = new Places('eventStreams');
    for (let team = 0; team < 30; team += 1) places.take({}, { teamId: `team_${team}` });
    expect(codeOf(() => places.take({}, { teamId: 'team_late' }))).to.equal('unavailable');
  });

  it('has refusals that say what to do', () => {
    expect(shareUsedUp('clickStreams', 'person').message).to.equal(
      'You have 3 live streams, the most for one person. Close one, or try again later.',
    );
    expect(shareUsedUp('healthRuns', 'team').message).to.equal(
      'Your team has 20 projects that wait for their health checks, the most for one team. Try again in a few seconds.',
    );
  });

  it('is shared out so that one team never has more than a tenth', () => {
    for (const name of Object.keys(SHARED) as (keyof typeof SHARED)[]) {
      expect(shareOf(name), name)
        .to.be.at.least(1)
        .and.at.most(Math.max(1, SHARED[name].places() / 10));
    }
  });
});

describe('work in turns', () => {
  it('is done for each owner in turn, and refused where one has too much waiting', async () => {
    const turns = takeTurns({ limit: 1, maxWaiting: 100, maxWaitingOfOwner: 3 });
    const order: string[] = [];
    const work = (owner: string, isPatient = false) => turns(owner, async () => void order.push(owner), isPatient);
    const many = ['a', 'a', 'a', 'a'].map((owner) => work(owner));
    expect(work('a')).to.equal(null);
    const more = [work('a', true), work('b'), work('b'), work('c')];
    await Promise.all([...many, ...more]);
    expect(order.join('')).to.equal('aabcabaa');
  });

  it('goes on after work that fails before it begins', async () => {
    const turns = takeTurns({ limit: 1, maxWaiting: 10, maxWaitingOfOwner: 5 });
    const failed = turns('a', () => {
      throw new Error('fails at once');
    });
    const next = turns('a', async () => 'done');
    expect(await failed?.catch((error: Error) => error.message)).to.equal('fails at once');
    expect(await next).to.equal('done');
  });

  it('leaves places to run to other owners', async () => {
    const turns = takeTurns({ limit: 4, limitOfOwner: 1, maxWaiting: 10, maxWaitingOfOwner: 5 });
    const ends: (() => void)[] = [];
    const started: string[] = [];
    const work = (owner: string) =>
      turns(owner, () => {
        started.push(owner);
        return new Promise<void>((resolve) => ends.push(resolve));
      });
    const all = [work('a'), work('a'), work('a'), work('b')];
    expect(started).to.deep.equal(['a', 'b']);
    for (let at = 0; at < all.length; at += 1) {
      ends[at]?.();
      await new Promise(setImmediate);
    }
    await Promise.all(all);
    expect(started.join('')).to.equal('abaa');
  });
});
