// stores: none
import { expect } from 'chai';
import { BATCH_LIMITS } from '../../../src/events/catalogue.ts';
import {
  type Batching,
  fitting,
  isRipe,
  MOST_BYTES,
  nextRipeMs,
  type WaitingGroup,
} from '../../../src/webhooks/decideBatch.ts';

const NOW = Date.parse('2026-11-27T12:00:00.000Z');
const LATER = NOW + 5000;
const WAITING: WaitingGroup = { queue: 1, projectId: 'prj_1', events: 3, bytes: 3000, dueAtMs: LATER };

describe('when a batch is sent', () => {
  const cases: [what: string, more: Partial<WaitingGroup>, batching: Batching, ripe: boolean][] = [
    ['waits while there are few, none of them for long', {}, { maxEvents: 4 }, false],
    ['goes when there are as many as fit', {}, { maxEvents: 3 }, true],
    ['goes when there are more', { events: 2000 }, { maxEvents: 3 }, true],
    ['goes when it is as large as a request may be', { bytes: MOST_BYTES }, { maxEvents: 1000 }, true],
    ['waits a byte below that', { bytes: MOST_BYTES - 1 }, { maxEvents: 1000 }, false],
    ['goes at the millisecond when one has waited for long enough', { dueAtMs: NOW }, { maxEvents: 1000 }, true],
    ['waits until that millisecond', { dueAtMs: NOW + 1 }, { maxEvents: 1000 }, false],
    ['goes when batches are switched off', {}, null, true],
    [
      'goes when the clock was set back by an hour since',
      { dueAtMs: NOW + 3_600_000 + BATCH_LIMITS.maxWaitSeconds * 1000 },
      { maxEvents: 1000 },
      true,
    ],
  ];
  for (const [what, more, batching, ripe] of cases) {
    it(what, () => expect(isRipe({ ...WAITING, ...more }, batching, NOW)).to.equal(ripe));
  }

  it('is told for the first of several groups; now where one can go, never without any', () => {
    const groups = [WAITING, { ...WAITING, projectId: null, dueAtMs: LATER - 1 }];
    expect(nextRipeMs(groups, { maxEvents: 4 }, NOW)).to.equal(LATER - 1);
    expect(nextRipeMs([...groups, { ...WAITING, events: 4 }], { maxEvents: 4 }, NOW)).to.equal(NOW);
    expect(nextRipeMs([], { maxEvents: 4 }, NOW)).to.equal(null);
  });
});

describe('what fits into a batch', () => {
  const events = (...sizes: number[]) => sizes.map((bytes, at) => ({ id: `evt_${at}`, at: new Date(NOW), bytes }));
  const body = (sizes: number[]) =>
    `{"type":"batch","events":[${sizes.map((bytes) => 'x'.repeat(bytes)).join(',')}]}`.length;

  it('is all of it, as long as the request is no larger than a megabyte', () => {
    const room = MOST_BYTES - body([0, 0, 0]);
    for (const sizes of [
      [100, 100],
      [1000, room - 2000, 1000],
    ]) {
      expect(fitting(events(...sizes))).to.have.length(sizes.length);
      expect(body(sizes)).to.be.at.most(MOST_BYTES);
    }
    expect(body([1000, room - 2000, 1000])).to.equal(MOST_BYTES);
    expect(fitting(events(1000, room - 1999, 1000))).to.have.length(2);
  });

  it('is the first events, and no smaller one behind one that is too large', () => {
    expect(fitting(events(10, MOST_BYTES, 10)).map(({ id }) => id)).to.deep.equal(['evt_0']);
  });

  it('is one event at least, however large it is', () => {
    expect(fitting(events(5 * MOST_BYTES, 10)).map(({ id }) => id)).to.deep.equal(['evt_0']);
    expect(fitting([])).to.deep.equal([]);
  });
});
