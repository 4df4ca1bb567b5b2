// plays, stores: each
import { expect } from 'chai';
import fc from 'fast-check';
import { config } from '../../../src/kernel/config.ts';
import { automaticAttempts, OUTCOMES } from '../../support/deliveryModel/afterAttempt.ts';
import { someCommands } from '../../support/deliveryModel/commands.ts';
import { compare } from '../../support/deliveryModel/compare.ts';
import { Driver, START_MS } from '../../support/deliveryModel/Driver.ts';
import { Model } from '../../support/deliveryModel/Model.ts';
import type { ModelSettings } from '../../support/deliveryModel/modelTypes.ts';
import { Steps } from '../../support/deliveryModel/Steps.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

/** What fast-check prints as the seed of a failure makes the same again: `SEED=… mocha …`. */
const SEED = process.env.SEED ? { seed: Number(process.env.SEED) } : {};
const RUNS = 60;
/** A machine that is slower than that makes fewer runs. */
const MOST_MS = 15_000;

const settings = fc.record({
  gaps: fc.constantFrom([...config.webhookRetrySeconds], [15, 60], [15]),
  circuitAfter: fc.constantFrom(5, 2, 1, 0),
  disableAfter: fc.constantFrom(20, 6, 3, 0),
});

describe('deliveries, whatever happens', function () {
  this.timeout(120_000);
  let store: OpenStore;
  before(async () => {
    store = await openStore({ ALLOW_PRIVATE_TARGETS: 'true' });
  });
  after(() => store.close());

  it('are as the contract says after each step, and all arrive in the end', async () => {
    await fc.assert(
      fc.asyncProperty(settings, fc.integer(), someCommands, async (chosen, seed, commands) => {
        const driver = new Driver();
        try {
          const steps = await begin(driver, chosen, seed);
          await fc.asyncModelRun(() => ({ model: steps.model, real: steps }), commands);
          await finish(steps);
        } finally {
          driver.stop();
        }
      }),
      { ...SEED, numRuns: RUNS, interruptAfterTimeLimit: MOST_MS, verbose: 1 },
    );
  });
});

async function begin(driver: Driver, chosen: ModelSettings, seed: number): Promise<Steps> {
  const model = new Model(chosen);
  model.nowMs = START_MS;
  for (const { webhook, secret } of await driver.start(chosen, 2, seed)) model.addWebhook(webhook.id, secret);
  return new Steps(model, driver);
}

/** Receivers become healthy, webhooks are enabled and time passes; then nothing may be left on its way. */
async function finish(steps: Steps): Promise<void> {
  const { model, driver } = steps;
  await steps.fanOut();
  for (const webhook of model.webhooks.filter(({ isDeleted }) => !isDeleted)) {
    await steps.switch(webhook, 'enabled');
    await compare(model);
    await steps.end(driver.lane(webhook.id), 'ok');
    for (let rounds = 0; model.nextDue(webhook) !== null || webhook.status === 'disabled'; rounds += 1) {
      expect(rounds, 'rounds until nothing waits').to.be.below(200);
      // Failures that were in hand may have switched it off once more when they were written down.
      if (webhook.status === 'disabled') await steps.switch(webhook, 'enabled');
      if (model.nextDue(webhook) === null) continue;
      steps.moveClock(Math.max(0, (model.nextDue(webhook) as number) - model.nowMs));
      const isMine = await steps.attempt(webhook, 10, 'ok');
      if (!isMine) steps.moveClock(30_000);
      await compare(model);
    }
    for (const delivery of model.of(webhook)) {
      expect(delivery.status).to.be.oneOf(['succeeded', 'failed', 'cancelled']);
      if (delivery.status === 'failed') expect(automaticAttempts(delivery)).to.equal(model.settings.gaps.length + 1);
    }
  }
  for (const outcome of OUTCOMES) await steps.comeBack(outcome);
  await compare(model);
}
