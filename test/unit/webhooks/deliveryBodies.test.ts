// stores: each
import { expect } from 'chai';
import { queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { type NewEvent, recordEvents } from '../../../src/events/recordEvent.ts';
import { clock } from '../../../src/kernel/clock.ts';
import type { Event } from '../../../src/models/Event.ts';
import type { Webhook } from '../../../src/models/Webhook.ts';
import { bodiesOf } from '../../../src/webhooks/deliveryBodies.ts';
import { planDeliveries } from '../../../src/webhooks/deliveryStore.ts';
import { type OpenStore, openStore } from '../../support/store.ts';
import { STORE } from '../../support/stores.ts';
import { deliveriesOf, makeWebhook } from '../../support/webhookWorkers.ts';

/**
 * Keys in no order, among them some that look like numbers and like names of JavaScript's own; numbers that stores might
 * write in another way; characters that need escapes. Parsed, because a literal would set the prototype.
 */
const DATA =
  '{"2":"two","10":"ten","z":1,"a":{"b":[1.5,1e+21,1e-7,0.1,-0.5,9007199254740993,12345678901234567890,3]},' +
  '"__proto__":{"x":null},"":"","text":"a\\u0000b \\"quoted\\" \\\\ \\u2028 Grüße 🙂 </script>","half":"\\ud83d","empty":[{},[]]}';
/** What `JSON.stringify` made of it when bodies were still stored. */
const STORED =
  '{"2":"two","10":"ten","z":1,"a":{"b":[1.5,1e+21,1e-7,0.1,-0.5,9007199254740992,12345678901234567000,3]},' +
  '"__proto__":{"x":null},"":"","text":"a\\u0000b \\"quoted\\" \\\\ \u2028 Grüße 🙂 </script>","half":"\\ud83d","empty":[{},[]]}';

describe('the bodies of deliveries', () => {
  let store: OpenStore;
  let webhook: Webhook;

  before(async () => {
    store = await openStore();
  });
  after(() => store.close());
  beforeEach(async () => {
    clock.use({ now: () => Date.parse('2026-11-27T12:00:00.007Z') });
    webhook = await makeWebhook();
  });
  afterEach(() => clock.reset());

  const run = (sql: string, ...values: unknown[]) => inTransaction((transaction) => queryRaw(sql, values, transaction));
  const plan = async (): Promise<Event> => {
    const { teamId, projectId } = webhook;
    const event = { id: `evt_${webhook.id.slice(4)}`, type: 'link.created', data: JSON.parse(DATA), teamId, projectId };
    return inTransaction(async (transaction) => {
      const [made] = await recordEvents(transaction, [event as unknown as NewEvent]);
      await planDeliveries([{ event: made as Event, webhook }], transaction);
      return made as Event;
    });
  };
  const bodies = async () => [...(await bodiesOf(await deliveriesOf(webhook))).values()];

  it('are, byte for byte, what was stored with each delivery before they followed from the events', async () => {
    const { id, teamId, projectId } = await plan();
    const golden =
      `{"id":"${id}","type":"link.created","api_version":"2026-11-01","created_at":"2026-11-27T12:00:00.007Z",` +
      `"team_id":"${teamId}","project_id":"${projectId}","test":false,"data":${STORED}}`;
    expect(await bodies()).to.deep.equal([golden]);
    expect(await bodies()).to.deep.equal([golden]);
    const [row] = await queryRaw<{ request_body: string | null }>('SELECT request_body FROM deliveries', []);
    expect(row?.request_body).to.equal(STORE === 'sqlite' ? '' : null);
  });

  it('of deliveries from before are the stored ones, whatever became of the event', async () => {
    const { id } = await plan();
    const old = '{ "as": "it was stored" }';
    await run('UPDATE deliveries SET request_body = $1 WHERE event_id = $2', old, id);
    await run('DELETE FROM events WHERE id = $1', id);
    expect(await bodies()).to.deep.equal([old]);
  });

  it('keep the version of their webhook', async () => {
    await plan();
    await run("UPDATE webhooks SET api_version = '2030-01-01' WHERE id = $1", webhook.id);
    expect(JSON.parse((await bodies())[0] as string)).to.include({ api_version: '2030-01-01' });
  });
});
