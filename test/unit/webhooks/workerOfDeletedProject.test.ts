// stores: any
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { Project } from '../../../src/models/Project.ts';
import { Team } from '../../../src/models/Team.ts';
import type { Webhook } from '../../../src/models/Webhook.ts';
import { ANSWERED, FAILED } from '../../support/scriptedSender.ts';
import { type OpenStore, openStore } from '../../support/store.ts';
import { until } from '../../support/until.ts';
import {
  deliveriesOf,
  logOf,
  makeDeliveries,
  makeWebhook,
  Processes,
  runWorker,
  statusesOf,
} from '../../support/webhookWorkers.ts';

describe('the webhook worker of a project that is deleted while it sends', () => {
  let store: OpenStore;
  let webhook: Webhook;
  const processes = new Processes();

  before(async () => {
    store = await openStore();
  });
  after(() => store.close());
  beforeEach(async () => {
    processes.useClock();
    webhook = await makeWebhook();
  });
  afterEach(() => processes.stop());

  const setDeletion = (deletionAt: Date | null, withTeam: boolean) =>
    inTransaction(async (transaction) => {
      await Project.unscoped().update({ deletionAt }, { where: { id: webhook.projectId as string }, transaction });
      if (withTeam) await Team.unscoped().update({ deletionAt }, { where: { id: webhook.teamId }, transaction });
    });

  for (const withTeam of [false, true]) {
    it(`records what was sent, and sends nothing more until ${withTeam ? 'its team' : 'it'} is restored`, async () => {
      const { workers, sender } = processes.start({ hangs: true });
      await makeDeliveries(webhook, 12);
      const ended = runWorker(workers, webhook);
      await until(() => sender.hanging.length === 10, 'ten under way');
      await setDeletion(new Date(Date.now() + DAY_MS), withTeam);
      workers.reload(webhook.id);
      sender.release(ANSWERED, 9);
      sender.release(FAILED);
      expect(await ended).to.equal(null);
      expect(await statusesOf(webhook)).to.deep.equal({ succeeded: 9, pending: 3 });
      expect((await logOf(webhook)).sort()).to.deep.equal([...new Array(9).fill('1:204'), '1:500']);
      expect((await deliveriesOf(webhook)).every(({ claim }) => claim === null)).to.equal(true);
      expect(sender.sent).to.have.length(10);

      await setDeletion(null, withTeam);
      // The lease has ended, and so would the claims have.
      processes.aheadMs = 3_600_000;
      sender.hangs = () => false;
      void runWorker(workers, webhook);
      await until(async () => (await statusesOf(webhook)).succeeded === 12, 'the rest');
      expect([...sender.counts().values()].sort()).to.deep.equal([...new Array(11).fill(1), 2]);
    });
  }
});
