// stores: none
import { expect } from 'chai';
import { firstDue, nextDue } from '../../../src/health/healthSchedule.ts';
import { newId } from '../../../src/kernel/ids.ts';

const INTERVAL_MS = 300_000;
const NOW_MS = Date.UTC(2026, 10, 16, 12) + 1234;

describe('due times of health checks', () => {
  it('are spread evenly over the interval, whenever the projects were made', () => {
    const tenths = new Array(10).fill(0);
    for (let made = 0; made < 5000; made += 1) {
      const ahead = firstDue(newId('prj'), NOW_MS, INTERVAL_MS) - NOW_MS;
      expect(ahead).to.be.within(0, INTERVAL_MS - 1);
      tenths[Math.floor((ahead / INTERVAL_MS) * 10)] += 1;
    }
    // 500 each on average; five standard deviations are 106.
    for (const count of tenths) expect(count).to.be.within(394, 606);
  });

  it('are the same for the same project', () => {
    const id = newId('prj');
    const due = firstDue(id, NOW_MS, INTERVAL_MS);
    expect(firstDue(id, due, INTERVAL_MS)).to.equal(due);
    expect(firstDue(id, due + 1, INTERVAL_MS)).to.equal(due + INTERVAL_MS);
  });

  const table: [what: string, lateMs: number, intervals: number][] = [
    ['on time', 0, 1],
    ['a little late', 20_000, 1],
    ['after a pause of hours, once', 100 * INTERVAL_MS + 5, 101],
    ['with a clock that was set back', -INTERVAL_MS, 1],
  ];
  for (const [what, lateMs, intervals] of table) {
    it(`follow the ones before: ${what}`, () => {
      expect(nextDue(NOW_MS, NOW_MS + lateMs, INTERVAL_MS)).to.equal(NOW_MS + intervals * INTERVAL_MS);
    });
  }
});
