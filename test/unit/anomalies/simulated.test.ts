// stores: none
import { expect } from 'chai';
import { isStrong } from '../../../bench/support/traffic/assumptions.ts';
import { judgeTold } from '../../../bench/support/traffic/judgeTold.ts';
import { makeTraffic } from '../../../bench/support/traffic/makeTraffic.ts';
import { ourRule } from '../../../bench/support/traffic/ourRule.ts';

/** A few projects of those that `npm run bench -- anomalies` judges; always the same. */
const SEEDS = [501, 502, 503];

describe('simulated traffic', function () {
  this.timeout(180_000);

  it('gives few false alerts and hardly a strong incident that is missed', () => {
    const all = SEEDS.flatMap((seed) =>
      [100, 1000].map((size) => {
        const traffic = makeTraffic(seed, size);
        return judgeTold(traffic, ourRule(traffic));
      }),
    );
    const alerts = all.reduce((sum, verdicts) => sum + verdicts.alerts, 0);
    const wrong = all.reduce((sum, { falseOnes }) => sum + falseOnes.length, 0);
    const strong = all.flatMap(({ found }) => found).filter(({ label }) => isStrong(label.direction, label.strength));
    const seen = strong.filter(({ delayHours }) => delayHours !== null);
    expect(alerts).to.be.greaterThan(10);
    expect(1 - wrong / alerts).to.be.at.least(0.9);
    expect(seen.length / strong.length).to.be.at.least(0.85);
  });
});
