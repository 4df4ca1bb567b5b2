import fc, { type AsyncCommand } from 'fast-check';
import { OUTCOMES } from './afterAttempt.ts';
import { compare } from './compare.ts';
import type { Model } from './Model.ts';
import type { Steps } from './Steps.ts';

const HOURS_72 = 259_200;

type Command = AsyncCommand<Model, Steps, false>;

/** A command that can be told by its name and its values, after which the store is as the model says. */
function command<Values extends object>(
  name: string,
  run: (steps: Steps, values: Values) => Promise<unknown>,
): (values: Values) => Command {
  return (values) => ({
    check: () => true,
    async run(model, steps) {
      await run(steps, values);
      await compare(model);
    },
    toString: () => `${name}(${Object.values(values).map(String).join(' ')})`,
  });
}

/** One of those that there are. */
function chosen<One>(from: readonly One[], at: number): One {
  return from[at % from.length] as One;
}

const hook = fc.nat({ max: 1 });
const wanted = fc.constantFrom(1, 2, 10);
const outcome = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...OUTCOMES.filter((one) => one !== 'gone')) },
  // It switches the webhook off at once, so that nothing else would get far.
  { weight: 1, arbitrary: fc.constant('gone' as const) },
);
const failure = fc.constantFrom('fails', 'fails', 'hangs', 'busy', 'ok');
const webhookOf = ({ model }: Steps, { hook: at }: { hook: number }) => chosen(model.webhooks, at);

const raise = command('raise', async (steps, { times, isFannedOut }: { times: number; isFannedOut: boolean }) => {
  for (let at = 0; at < times; at += 1) await steps.raise();
  if (isFannedOut) await steps.fanOut();
});

type Attempt = { hook: number; wanted: number; outcome: (typeof OUTCOMES)[number] };

const attempt = command('attempt', (steps, values: Attempt) =>
  steps.attempt(webhookOf(steps, values), values.wanted, values.outcome),
);

/** When the next thing is due, several times over. */
const waitAndAttempt = command('waitAndAttempt', async (steps, values: Attempt & { times: number }) => {
  const webhook = webhookOf(steps, values);
  for (let at = 0; at < values.times; at += 1) {
    const next = steps.model.nextDue(webhook);
    if (next !== null) steps.moveClock(Math.max(0, next - steps.model.nowMs));
    await steps.attempt(webhook, values.wanted, values.outcome);
    await compare(steps.model);
  }
});

const send = command('send', (steps, values: { hook: number; wanted: number; ending: 'no' | 'when_idle' | 'now' }) => {
  const webhook = webhookOf(steps, values);
  const hasInFlight = steps.driver.lane(webhook.id).inFlight.length > 0;
  return steps.send(webhook, values.wanted, hasInFlight ? 'no' : values.ending);
});

/** Asks for more while what it got is under way. */
const overlap = command('overlap', async (steps, values: { hook: number; wanted: number }) => {
  const webhook = webhookOf(steps, values);
  const next = steps.model.nextDue(webhook);
  if (next !== null) steps.moveClock(Math.max(0, next - steps.model.nowMs));
  await steps.send(webhook, values.wanted);
  await steps.send(webhook, values.wanted);
});

const end = command('end', (steps, values: Attempt) =>
  steps.end(steps.driver.lane(webhookOf(steps, values).id), values.outcome, values.wanted),
);

const giveBack = command('giveBack', (steps, values: { hook: number; wanted: number }) =>
  steps.giveBack(webhookOf(steps, values), values.wanted),
);

/** Dies at once, or with something in flight, and is not heard of until its lease has ended. */
const crash = command('crash', async (steps, values: { hook: number; wanted: number; isForLong: boolean }) => {
  const webhook = webhookOf(steps, values);
  await steps.send(webhook, values.wanted);
  steps.crash(webhook);
  if (values.isForLong) steps.moveClock(30_000);
});

const comeBack = command('comeBack', (steps, values: Pick<Attempt, 'outcome'>) => steps.comeBack(values.outcome));

const resend = command('resend', async (steps, { which, times }: { which: number; times: number }) => {
  const { deliveries } = steps.model;
  if (deliveries.length === 0) return;
  for (let at = 0; at < times; at += 1) await steps.resend(chosen(deliveries, which));
});

const test = command('test', (steps, values: { hook: number }) => steps.test(webhookOf(steps, values)));

const rotate = command(
  'rotate',
  async (steps, values: { hook: number; seconds: number | undefined; times: number }) => {
    for (let at = 0; at < values.times; at += 1) await steps.rotate(webhookOf(steps, values), values.seconds);
  },
);

const turnTo = command('switch', (steps, values: { hook: number; to: 'enabled' | 'disabled' }) =>
  steps.switch(webhookOf(steps, values), values.to),
);

const remove = command('delete', (steps, values: { hook: number }) => steps.delete(webhookOf(steps, values)));

/** With something in flight, or without. */
const replay = command(
  'replay',
  async (steps, values: { hook: number; status: 'failed' | 'missing' | 'all'; wanted: number; isOn: boolean }) => {
    const webhook = webhookOf(steps, values);
    if (values.isOn) await steps.switch(webhook, 'enabled');
    if (values.wanted > 0) await steps.send(webhook, values.wanted);
    await steps.replay(webhook, values.status);
  },
);

/** Off, and on again when what waited is too old; in between the job that looks for it has run, or has not. */
const hold = command('hold', async (steps, values: { hook: number; isCancelling: boolean; isReplayed: boolean }) => {
  await steps.switch(webhookOf(steps, values), 'disabled');
  steps.moveClock(HOURS_72 * 1000);
  if (values.isCancelling) await steps.cancelHeld();
  await compare(steps.model);
  await steps.switch(webhookOf(steps, values), 'enabled');
  if (values.isReplayed) await steps.replay(webhookOf(steps, values), 'failed');
});

const jump = command('jump', async (steps, { seconds, isCancelling }: { seconds: number; isCancelling: boolean }) => {
  steps.moveClock(seconds * 1000);
  if (isCancelling) await steps.cancelHeld();
});

/** How often each comes, and with what. */
const ROWS: [weight: number, fc.Arbitrary<Command>][] = [
  [8, fc.record({ times: fc.constantFrom(1, 1, 3), isFannedOut: fc.constantFrom(true, true, false) }).map(raise)],
  [6, fc.record({ hook, wanted, outcome }).map(attempt)],
  [8, fc.record({ hook, wanted, outcome: failure, times: fc.constantFrom(1, 2, 6) }).map(waitAndAttempt)],
  [4, fc.record({ hook, wanted, ending: fc.constantFrom('no', 'no', 'when_idle', 'now') }).map(send)],
  [4, fc.record({ hook, wanted, outcome }).map(end)],
  [3, fc.record({ hook, wanted }).map(overlap)],
  [2, fc.record({ hook, wanted }).map(giveBack)],
  [2, fc.record({ hook, isCancelling: fc.boolean(), isReplayed: fc.boolean() }).map(hold)],
  [3, fc.record({ hook, wanted, isForLong: fc.boolean() }).map(crash)],
  [3, fc.record({ outcome }).map(comeBack)],
  [4, fc.record({ which: fc.nat({ max: 30 }), times: fc.constantFrom(1, 1, 2, 11) }).map(resend)],
  [2, fc.record({ hook }).map(test)],
  [
    3,
    fc
      .record({ hook, seconds: fc.constantFrom(undefined, 0, 1, 60, 3600, 86_400), times: fc.constantFrom(1, 1, 4) })
      .map(rotate),
  ],
  [5, fc.record({ hook, to: fc.constantFrom('enabled', 'enabled', 'disabled') }).map(turnTo)],
  [1, fc.record({ hook: fc.constant(1) }).map(remove)],
  [
    4,
    fc
      .record({
        hook,
        status: fc.constantFrom('failed', 'missing', 'all'),
        wanted: fc.constantFrom(0, 2),
        isOn: fc.boolean(),
      })
      .map(replay),
  ],
  [
    6,
    fc
      .record({
        seconds: fc.constantFrom(1, 15, 29, 31, 300, 7200, HOURS_72 - 60, HOURS_72),
        isCancelling: fc.boolean(),
      })
      .map(jump),
  ],
  [1, fc.record({ seconds: fc.integer({ min: -20, max: -1 }), isCancelling: fc.boolean() }).map(jump)],
];

export const someCommands = fc.commands<Model, Steps, false>(
  [fc.oneof(...ROWS.map(([weight, arbitrary]) => ({ weight, arbitrary })))],
  { maxCommands: 60, size: 'max' },
);
