// stores: none
import { expect } from 'chai';
import {
  afterAttempt,
  type ClassifiedAttempt,
  HEALTHY,
  type Health,
  mayGo,
} from '../../../src/webhooks/decideCircuit.ts';

const START = Date.parse('2026-11-01T12:00:00.000Z');
const settings = { circuitAfter: 5, probeSeconds: 15, probeMaxSeconds: 1800, disableAfter: 20 };
const at = (seconds: number) => new Date(START + seconds * 1000);
const options = (seconds = 0, change = {}) => ({ ...settings, ...change, nowMs: START + seconds * 1000 });

const healthy: Health = { status: 'enabled', disabledReason: null, ...HEALTHY };
const failure: ClassifiedAttempt = { result: 'failure', counts: true, isGone: false, isProbe: false };
const success: ClassifiedAttempt = { ...failure, result: 'success' };
const uncounted: ClassifiedAttempt = { ...failure, counts: false };
const probe: ClassifiedAttempt = { ...failure, isProbe: true };

const after = (count: number, health = healthy, attempt = failure, change = {}): Health =>
  Array.from({ length: count }).reduce<Health>((state) => afterAttempt(state, attempt, options(0, change)), health);

describe('the circuit of a webhook', () => {
  it('opens at the fifth counted failure in a row, not before', () => {
    expect(after(4)).to.deep.equal({ ...healthy, consecutiveFailures: 4 });
    const open = { circuit: 'open', consecutiveFailures: 5, probePauseSeconds: 15, nextProbeAt: at(15) };
    expect(after(5)).to.deep.equal({ ...healthy, ...open, circuitOpenedAt: at(0) });
  });

  it('begins to count anew after a success', () => {
    const once = afterAttempt(after(4), success, options());
    expect(once).to.deep.equal(healthy);
    expect(after(4, once).circuit).to.equal('closed');
  });

  it('counts neither tests nor resends, whatever their number', () => {
    expect(after(100, healthy, uncounted)).to.equal(healthy);
  });

  it('counts no fault of ours', () => {
    expect(after(100, healthy, { ...failure, result: 'our_fault' })).to.equal(healthy);
  });

  it('doubles the pause with each probe that fails, up to half an hour', () => {
    let health = after(5);
    const pauses: number[] = [];
    for (let made = 0; made < 9; made += 1) {
      health = afterAttempt(health, probe, options(0, { disableAfter: 0 }));
      pauses.push(health.probePauseSeconds);
      expect(health.nextProbeAt).to.deep.equal(at(health.probePauseSeconds));
    }
    expect(pauses).to.deep.equal([30, 60, 120, 240, 480, 960, 1800, 1800, 1800]);
  });

  it('leaves the pause to probes: what was in flight when it opened does not double it', () => {
    const later = afterAttempt(after(5), failure, options(3));
    expect(later).to.include({ consecutiveFailures: 6, probePauseSeconds: 15 });
    expect(later.nextProbeAt).to.deep.equal(at(15));
  });

  it('comes back as soon after a probe that failed because of us', () => {
    const again = afterAttempt(after(5), { ...probe, result: 'our_fault' }, options(20));
    expect(again).to.include({ consecutiveFailures: 5, probePauseSeconds: 15 });
    expect(again.nextProbeAt).to.deep.equal(at(35));
  });

  it('closes with the first success, be it a probe, a resend or a test', () => {
    for (const kind of [failure, uncounted, probe]) {
      expect(afterAttempt(after(7), { ...kind, result: 'success' }, options())).to.deep.equal(healthy);
    }
  });

  it('never opens where the setting is 0', () => {
    expect(after(19, healthy, failure, { circuitAfter: 0 })).to.deep.equal({ ...healthy, consecutiveFailures: 19 });
  });

  it('lets everything go while it is closed, and one probe at a time when its moment has come', () => {
    const open = after(5);
    const table: [Health, number, number, ReturnType<typeof mayGo>][] = [
      [healthy, 0, 7, 'all'],
      [open, 14, 0, 'none'],
      [open, 15, 0, 'probe'],
      [open, 15, 1, 'none'],
      [{ ...open, status: 'disabled' }, 15, 0, 'none'],
    ];
    for (const [health, seconds, inFlight, expected] of table) {
      expect(mayGo(health, { nowMs: START + seconds * 1000, inFlight })).to.equal(expected);
    }
  });
});

describe('switching a webhook off', () => {
  it('happens at the twentieth counted failure in a row, once', () => {
    expect(after(19).status).to.equal('enabled');
    const off = after(20);
    expect(off).to.include({ status: 'disabled', disabledReason: 'failures', consecutiveFailures: 20 });
    for (const attempt of [failure, probe, success]) expect(afterAttempt(off, attempt, options())).to.equal(off);
  });

  it('happens at once when the receiver is gone, whatever the settings, but not to a test or a resend', () => {
    const gone = { ...failure, isGone: true };
    for (const change of [{}, { disableAfter: 0, circuitAfter: 0 }, { disableAfter: 1 }]) {
      const off = after(1, healthy, gone, change);
      expect(off).to.include({ status: 'disabled', disabledReason: 'gone', consecutiveFailures: 1 });
      expect(after(1, healthy, { ...gone, counts: false }, change)).to.equal(healthy);
    }
    expect(after(1, after(5), { ...gone, isProbe: true })).to.include({ status: 'disabled', disabledReason: 'gone' });
    expect(after(1, after(20), gone)).to.include({ disabledReason: 'failures' });
  });

  it('does not happen to a receiver that restarts: five failures and probes for four hours come first', () => {
    let health = after(5);
    let seconds = 0;
    while (health.status === 'enabled') {
      seconds = ((health.nextProbeAt as Date).getTime() - START) / 1000;
      health = afterAttempt(health, probe, options(seconds));
    }
    expect(seconds / 3600).to.be.within(4, 5);
  });

  it('never happens where the setting is 0', () => {
    expect(after(1000, healthy, failure, { disableAfter: 0 }).status).to.equal('enabled');
  });
});
