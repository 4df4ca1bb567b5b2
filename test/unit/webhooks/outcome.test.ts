import { expect } from 'chai';
import type { AttemptResult } from '../../../src/webhooks/attempt.ts';
import { type Attempt, type DeliveryState, outcome } from '../../../src/webhooks/outcome.ts';

const nowMs = Date.parse('2026-11-01T12:00:00.000Z');
const options = { gaps: [15, 60], nowMs, random: () => 0.5 };
const at = (seconds: number) => new Date(nowMs + seconds * 1000);

const ok: AttemptResult = {
  statusCode: 200,
  responseHeaders: {},
  responseBody: '',
  error: null,
  durationMs: 12,
  retryAfterSeconds: null,
};
const refused: AttemptResult = { ...ok, statusCode: 500, error: 'status' };
const brokenOff: AttemptResult = { ...ok, error: 'reset' };
const busy: AttemptResult = { ...ok, statusCode: 503, error: 'status', retryAfterSeconds: 600 };
const ourFault = { kind: 'our_fault' } as const;

const state = (status: DeliveryState['status'], attemptCount: number, nextAttemptAt: Date | null) => ({
  status,
  attemptCount,
  nextAttemptAt,
});
const automatic = (result: Attempt['result'], manualAttemptsMade = 0) => ({
  manual: false,
  manualAttemptsMade,
  result,
});
const manual = (result: Attempt['result']) => ({ manual: true, manualAttemptsMade: 0, result });

describe('the outcome of an attempt', () => {
  const first = state('pending', 0, at(-1));
  const last = state('pending', 2, at(-1));
  const waiting = state('pending', 1, at(10));
  const cases: [name: string, before: DeliveryState, attempt: Attempt, after: DeliveryState][] = [
    ['succeeds with 2xx', first, automatic(ok), state('succeeded', 1, null)],
    ['waits for the next attempt after a failure', first, automatic(refused), state('pending', 1, at(15))],
    ['takes an answer that broke off for a failure', first, automatic(brokenOff), state('pending', 1, at(15))],
    ['waits longer when asked to', first, automatic(busy), state('pending', 1, at(600))],
    ['takes each gap in turn', state('pending', 1, at(-1)), automatic(refused), state('pending', 2, at(60))],
    ['fails when the attempts are used up', last, automatic(refused), state('failed', 3, null)],
    ['succeeds at the last attempt', last, automatic(ok), state('succeeded', 3, null)],
    ['uses up no attempt for a fault of ours', last, automatic(ourFault), state('pending', 2, at(15))],
    ['counts manual attempts apart', state('pending', 5, at(-1)), automatic(refused, 4), state('pending', 6, at(60))],
    ['schedules nothing for a failed manual attempt', waiting, manual(refused), state('pending', 2, at(10))],
    ['ends pending retries with a manual success', waiting, manual(ok), state('succeeded', 2, null)],
    ['leaves a failed delivery failed', state('failed', 3, null), manual(busy), state('failed', 4, null)],
    ['mends a failed delivery by hand', state('failed', 3, null), manual(ok), state('succeeded', 4, null)],
    ['leaves what succeeded', state('succeeded', 1, null), manual(refused), state('succeeded', 2, null)],
    [
      'does not revive what was cancelled',
      state('cancelled', 1, null),
      automatic(refused),
      state('cancelled', 2, null),
    ],
    ['believes a late success', state('cancelled', 1, null), automatic(ok), state('succeeded', 2, null)],
    ['changes nothing for a manual fault of ours', waiting, manual(ourFault), waiting],
    [
      'changes nothing settled for a fault of ours',
      state('cancelled', 1, null),
      automatic(ourFault),
      state('cancelled', 1, null),
    ],
  ];
  for (const [name, before, attempt, after] of cases) {
    it(name, () => expect(outcome(before, attempt, options)).to.deep.equal(after));
  }

  it('comes back to a fault of ours also where there are no gaps', () => {
    expect(outcome(first, automatic(ourFault), { ...options, gaps: [] })).to.deep.equal({
      ...first,
      nextAttemptAt: at(15),
    });
  });
});
