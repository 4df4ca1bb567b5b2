// plays, stores: each
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { apiOf } from '../support/api.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { makeStore, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';

const ROUNDS = Number(process.env.KILL_ROUNDS ?? 1);
const LINKS_A_ROUND = 30;

describe('kill -9 during delivery', () => {
  let store: Store;
  let child: Child;
  let receiver: Receiver;
  let ofBatches: Receiver;

  after(async () => {
    await child?.kill();
    await receiver?.close();
    await ofBatches?.close();
    await store?.remove();
  });

  it('brings every event at least once, alone or in one batch, and repeats with the same event id and bytes', async function () {
    this.timeout(600_000);
    store = await makeStore();
    // Slow enough that a kill finds some deliveries not begun, some in flight and some done.
    let answered = 0;
    const answer = (response: ServerResponse) => {
      answered += 1;
      response.end('ok');
    };
    receiver = await startReceiver((_, response) => void setTimeout(answer, 150, response));
    ofBatches = await startReceiver((_, response) => void setTimeout(() => response.end('ok'), 150));
    const port = await freePort();
    const env = { ...store.env, WEBHOOK_TIMEOUT_SECONDS: '2' };
    child = await startChild(port, env);
    const api = apiOf(child.origin, child.secretKey);
    await api('POST', '/webhooks', { url: receiver.url, event_types: ['link.created'] });
    // Some are full at once, and some when their time is over.
    const batch = { max_events: 4, max_wait_seconds: 1 };
    await api('POST', '/webhooks', { url: ofBatches.url, event_types: ['link.created'], batch });
    const made: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const links = await Promise.all(
        Array.from({ length: LINKS_A_ROUND }, () => api('POST', '/links', { destination: 'https://example.com/' })),
      );
      made.push(...links.map(({ body }) => body.id));
      const isHalfway = () => answered > round * LINKS_A_ROUND && receiver.received.length > answered;
      await until(isHalfway, 'some deliveries to be done, and others to be in flight');
      await child.kill();
      child = await startChild(port, env);
    }
    const told = () => new Set(receiver.received.map(({ event }) => event.data.link.id));
    await until(() => made.every((id) => told().has(id)), `all ${made.length} events`, 120_000);
    const byEvent = Map.groupBy(receiver.received, ({ headers }) => headers['svc-event-id']);
    expect(byEvent.size).to.equal(made.length);
    for (const repeats of byEvent.values()) expect(new Set(repeats.map(({ body }) => body)).size).to.equal(1);

    type Sent = { data: { link: { id: string } } };
    const linksIn = ({ events }: { events: Sent[] }) => events.map(({ data }) => data.link.id);
    const inBatches = () => new Set(ofBatches.received.flatMap(({ event }) => linksIn(event)));
    await until(() => made.every((id) => inBatches().has(id)), `all ${made.length} events in batches`, 120_000);
    const batches = Map.groupBy(ofBatches.received, ({ headers }) => headers['svc-event-id']);
    for (const repeats of batches.values()) expect(new Set(repeats.map(({ body }) => body)).size).to.equal(1);
    const once = [...batches.values()].flatMap(([first]) => linksIn(first?.event));
    expect(once.sort()).to.deep.equal([...made].sort());
  });
});
