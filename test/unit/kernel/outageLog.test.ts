// stores: none
import { expect } from 'chai';
import { OutageLog } from '../../../src/kernel/outageLog.ts';

describe('OutageLog', () => {
  let now = 0;
  let lines: string[];
  let outage: OutageLog;

  beforeEach(() => {
    now = 0;
    lines = [];
    outage = new OutageLog(
      'store',
      (level, { failures, seconds, reason }, message) =>
        lines.push([level, reason ?? `${failures} in ${seconds} s`, message.split(/[(:;]/)[0]?.trim()].join(' | ')),
      () => now,
    );
  });

  /** Fails twice a second, with a look each second. */
  function failFor(seconds: number): void {
    for (let half = 0; half < seconds * 2; half += 1) {
      outage.record(new Error('refused'), 'cannot fetch jobs');
      now += 500;
      if (half % 2 === 1) outage.check();
    }
  }

  it('writes one line at the beginning, one a minute, one at the end', () => {
    failFor(150);
    now += 10_000;
    outage.check();
    expect(lines).to.deep.equal([
      'warn | refused | the store is away',
      'warn | 120 in 60 s | the store is still away',
      'warn | 240 in 120 s | the store is still away',
      'info | 300 in 150 s | the store is back',
    ]);
  });

  it('begins anew with the next outage', () => {
    failFor(1);
    now += 10_000;
    outage.check();
    failFor(1);
    expect(lines.map((line) => line.split(' | ')[2])).to.deep.equal([
      'the store is away',
      'the store is back',
      'the store is away',
    ]);
  });

  it('does not end while something fails', () => {
    failFor(1);
    now += 9000;
    outage.check();
    expect(lines).to.have.length(1);
  });
});
