// stores: none
import { expect } from 'chai';
import { QUEUE } from '../../../src/models/queue.ts';
import {
  type AttemptResult,
  type DeliveryState,
  decideOutcome,
  type FinishedAttempt,
  type ScheduledState,
  withDueTime,
} from '../../../src/webhooks/decideOutcome.ts';

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

type Change = Partial<DeliveryState>;

const state = (
  status: DeliveryState['status'],
  attemptCount: number,
  nextAttemptAt: Date | null,
  change: Change = {},
): DeliveryState => ({
  status,
  attemptCount,
  nextAttemptAt,
  manualAttempts: 0,
  resends: 0,
  isTest: false,
  queue: QUEUE.automatic,
  ...change,
});
/** The same, with when it is due: of what is settled, never. */
const then = (...of: Parameters<typeof state>): ScheduledState => ({ ...state(...of), dueAt: of[2] });
const automatic = (result: FinishedAttempt['result']) => ({ manual: false, result });
const manual = (result: FinishedAttempt['result']) => ({ manual: true, result });

describe('the outcome of an attempt', () => {
  const first = state('pending', 0, at(-1));
  const last = state('pending', 2, at(-1));
  const byHand = { queue: QUEUE.byHand, resends: 1 };
  const cases: [name: string, before: DeliveryState, attempt: FinishedAttempt, after: ScheduledState][] = [
    ['succeeds with 2xx', first, automatic(ok), then('succeeded', 1, null)],
    ['waits for the next attempt after a failure', first, automatic(refused), then('pending', 1, at(15))],
    ['takes an answer that broke off for a failure', first, automatic(brokenOff), then('pending', 1, at(15))],
    ['waits longer when asked to', first, automatic(busy), then('pending', 1, at(600))],
    ['takes each gap in turn', state('pending', 1, at(-1)), automatic(refused), then('pending', 2, at(60))],
    ['fails when the attempts are used up', last, automatic(refused), then('failed', 3, null)],
    ['succeeds at the last attempt', last, automatic(ok), then('succeeded', 3, null)],
    ['uses up no attempt for a fault of ours', last, automatic(ourFault), then('pending', 2, at(15))],
    [
      'counts manual attempts apart',
      state('pending', 5, at(-1), { manualAttempts: 4 }),
      automatic(refused),
      then('pending', 6, at(60), { manualAttempts: 4 }),
    ],
    [
      'schedules nothing for a failed manual attempt, and goes on as planned',
      state('pending', 1, at(10), byHand),
      manual(refused),
      then('pending', 2, at(10), { manualAttempts: 1 }),
    ],
    [
      'ends pending retries with a manual success',
      state('pending', 1, at(10), byHand),
      manual(ok),
      then('succeeded', 2, null, { manualAttempts: 1, queue: QUEUE.byHand }),
    ],
    [
      'leaves a failed delivery failed',
      state('failed', 3, null, byHand),
      manual(busy),
      then('failed', 4, null, { manualAttempts: 1, queue: QUEUE.byHand }),
    ],
    [
      'mends a failed delivery by hand',
      state('failed', 3, null, byHand),
      manual(ok),
      then('succeeded', 4, null, { manualAttempts: 1, queue: QUEUE.byHand }),
    ],
    [
      'leaves what succeeded',
      state('succeeded', 1, null, byHand),
      manual(refused),
      then('succeeded', 2, null, { manualAttempts: 1, queue: QUEUE.byHand }),
    ],
    [
      'goes on with the next resend when several were asked for',
      state('failed', 3, null, { ...byHand, resends: 2 }),
      manual(refused),
      { ...state('failed', 4, null, { ...byHand, manualAttempts: 1 }), dueAt: at(0) },
    ],
    [
      'makes the resend that was asked for while an attempt was under way',
      state('pending', 0, at(-1), byHand),
      automatic(ok),
      { ...state('succeeded', 1, null, byHand), dueAt: at(0) },
    ],
    ['does not revive what was cancelled', state('cancelled', 1, null), automatic(refused), then('cancelled', 2, null)],
    ['believes a late success', state('cancelled', 1, null), automatic(ok), then('succeeded', 2, null)],
    [
      'repeats a resend after a fault of ours',
      state('failed', 3, null, byHand),
      manual(ourFault),
      { ...state('failed', 3, null, byHand), dueAt: at(15) },
    ],
    [
      'changes nothing settled for a fault of ours',
      state('cancelled', 1, null),
      automatic(ourFault),
      then('cancelled', 1, null),
    ],
    [
      'keeps a test where no circuit holds it',
      state('pending', 0, at(-1), { isTest: true, queue: QUEUE.byHand }),
      automatic(refused),
      then('pending', 1, at(15), { isTest: true, queue: QUEUE.byHand }),
    ],
    [
      'puts what a replay made among the others after its first failure',
      state('pending', 0, at(-1), { queue: QUEUE.replay }),
      automatic(refused),
      then('pending', 1, at(15)),
    ],
  ];
  for (const [name, before, attempt, after] of cases) {
    it(name, () => expect(decideOutcome(before, attempt, options)).to.deep.equal(after));
  }

  it('comes back to a fault of ours also where there are no gaps', () => {
    expect(decideOutcome(first, automatic(ourFault), { ...options, gaps: [] })).to.deep.equal({
      ...first,
      nextAttemptAt: at(15),
      dueAt: at(15),
    });
  });

  it('what was given out and not sent waits as before', () => {
    expect(withDueTime(first, options)).to.deep.equal({ ...first, dueAt: first.nextAttemptAt });
    const resent = state('failed', 3, null, byHand);
    expect(withDueTime(resent, options)).to.deep.equal({ ...resent, dueAt: at(0) });
  });
});
