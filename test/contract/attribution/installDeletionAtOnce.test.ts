// stores: postgres
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { installKey } from '../../../src/attribution/Opening.ts';
import { query, queryRaw } from '../../../src/db/query.ts';
import { readRowsByIds } from '../../../src/db/rows.ts';
import type { Transaction } from '../../../src/db/sequelize.ts';
import { inTransaction, lockNames } from '../../../src/db/transactions.ts';
import { Event } from '../../../src/models/Event.ts';
import { Webhook } from '../../../src/models/Webhook.ts';
import { planDeliveries } from '../../../src/webhooks/deliveryStore.ts';
import { useInstalls } from '../../support/installs.ts';
import { makeHook } from '../../support/makeHook.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { rowsWith } from '../../support/rowsWith.ts';
import { STORE } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

/** Somebody waits for a lock. */
const WAITING = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const SETTINGS = { WEBHOOK_CIRCUIT_AFTER: '0', WEBHOOK_RETRY_SECONDS: '3600' };

// SQLite has one writer.
(STORE === 'postgres' ? describe : describe.skip)('deleting an install while others write', () => {
  const { mine, sdk, install } = useInstalls(SETTINGS);
  let receiver: Receiver;

  before(async () => {
    receiver = await startReceiver((_, response) => response.writeHead(500).end());
  });
  after(() => receiver.close());

  const makeFailing = () => makeHook(mine().api, { url: receiver.url, event_types: ['app.installed', 'app.event'] });
  /** Waits until webhooks can be told of the install; gives the event. */
  const told = (installId: string) =>
    until(async () => {
      const { data } = (await mine().api('GET', '/events?type=app.installed')).body;
      return data.find((event: { data: { install: object } }) => JSON.stringify(event).includes(installId));
    }, 'the event');

  /** Deletes an install while somebody has something locked, which the deletion waits for, and then goes on to `act`. */
  const removeBeside = async (
    gone: string,
    lock: (transaction: Transaction) => Promise<unknown>,
    act: (transaction: Transaction) => Promise<unknown>,
  ) => {
    let removing: Promise<{ status: number }> | undefined;
    await inTransaction(async (transaction) => {
      await lock(transaction);
      removing = mine().api('DELETE', `/installs/${gone}`);
      await until(async () => (await query(WAITING, {}, transaction)).length > 0, 'the deletion to wait');
      await act(transaction);
    });
    expect((await removing)?.status).to.equal(204);
    expect(await rowsWith(gone)).to.deep.equal({});
  };

  it('takes the deliveries that somebody is making of its events', async () => {
    const gone = await install();
    const { id } = await told(gone);
    const hook = await makeFailing();
    await removeBeside(
      gone,
      (transaction) => query('SELECT id FROM events WHERE id = :id FOR UPDATE', { id }, transaction),
      async (transaction) => {
        const [event] = await readRowsByIds(Event, [id], transaction);
        const [webhook] = await readRowsByIds(Webhook, [hook.id], transaction);
        await planDeliveries([{ event: event as Event, webhook: webhook as Webhook }], transaction);
      },
    );
  });

  it('waits for a turn of the webhook, which has its deliveries in hand in another order', async () => {
    const { id } = await makeFailing();
    const gone = await install();
    await told(gone);
    const deliveries = 'SELECT id FROM deliveries WHERE webhook_id = :id';
    await until(async () => (await query(deliveries, { id })).length === 1, 'the delivery');
    const lock = 'SELECT id FROM webhooks WHERE id = :id FOR NO KEY UPDATE';
    const act = 'UPDATE deliveries SET updated_at = now() WHERE webhook_id = :id RETURNING id';
    await removeBeside(
      gone,
      (transaction) => query(lock, { id }, transaction),
      async (transaction) => expect(await query(act, { id }, transaction)).to.have.length(1),
    );
  });

  it('takes what its app tells meanwhile', async () => {
    const gone = await install();
    const { projectId } = mine();
    const columns = `project_id, install_id, name, occurred_at, received_at, uncollected`;
    await sdk().event({ install_id: gone, name: 'purchase' });
    await removeBeside(
      gone,
      (transaction) => lockNames([installKey({ projectId, installId: gone })], transaction),
      (transaction) =>
        queryRaw(
          `INSERT INTO app_events (id, event_id, ${columns}) VALUES ($1, 'late', $2, $3, 'late', now(), now(), true)`,
          [randomUUID(), projectId, gone],
          transaction,
        ),
    );
  });
});
