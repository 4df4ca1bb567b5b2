import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { sendTestEvent } from '../../sdk/webhooks/examples/sendTestEvent.ts';
import { signatureHeader, testEvent, type WebhookEvent } from '../../sdk/webhooks/index.ts';
import { newWebhookSecret } from '../../src/webhooks/secretService.ts';

type Send = (body: string, headers?: Record<string, string>) => Promise<Response>;
export interface ExampleReceiver {
  send: Send;
  /** Where there is a server. */
  url?: string;
  stop(): unknown;
}

const [fresh, old] = [newWebhookSecret(), newWebhookSecret()];
const path = '/webhooks/svc';
const post = (body: string, headers = {}) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body,
});

/** What each example for receivers of webhooks does. `start` starts it as its users would: it reads its secrets when it is loaded. */
export function describeExample(name: string, start: () => Promise<ExampleReceiver>): void {
  describe(`the ${name} example`, () => {
    let receiver: ExampleReceiver;
    let inbox: WebhookEvent[];
    before(async () => {
      ({ inbox } = await import('../../sdk/webhooks/examples/storeOnce.ts'));
      process.env.SVC_WEBHOOK_SECRETS = `${fresh},${old}`;
      receiver = await start();
    });
    after(async () => {
      delete process.env.SVC_WEBHOOK_SECRETS;
      await receiver.stop();
    });

    it('stores a signed event and answers 204', async () => {
      const { event, body, headers } = signed();
      const response = await receiver.send(body, headers);
      expect([response.status, await response.text()]).to.deep.equal([204, '']);
      expect(inbox.filter(({ id }) => id === event.id)).to.deep.equal([event]);
    });

    it('knows the old secret too, and those two alone', async () => {
      for (const [secrets, status] of [
        [[old], 204],
        [['whsec_other', old], 204],
        [['whsec_other'], 400],
      ] as const) {
        const { body, headers } = signed(secrets);
        expect((await receiver.send(body, headers)).status).to.equal(status);
      }
    });

    it('stores an event that comes again once, and answers 204 each time', async () => {
      const { event, body } = signed();
      for (const secondsAgo of [20, 10, 0]) {
        const timestamp = Math.floor(Date.now() / 1000) - secondsAgo;
        const headers = { 'SVC-Signature': signatureHeader({ rawBody: body, secret: fresh, timestamp }) };
        expect((await receiver.send(body, headers)).status).to.equal(204);
      }
      expect(inbox.filter(({ id }) => id === event.id)).to.have.length(1);
    });

    it('answers 400, says why, and stores nothing of a tampered, a late and an unsigned request', async () => {
      const { body, headers } = signed();
      const late = signatureHeader({ rawBody: body, secret: fresh, timestamp: Math.floor(Date.now() / 1000) - 400 });
      const refused = [
        [body.replace('Frühling', 'Frühlinh'), headers, 'No signature'],
        [body, { 'SVC-Signature': late }, 'seconds ago'],
        [body, {}, 'There is no SVC-Signature'],
      ] as const;
      const before = inbox.length;
      for (const [sent, given, reason] of refused) {
        const response = await receiver.send(sent, given);
        expect(response.status).to.equal(400);
        expect(await response.text()).to.contain(reason);
      }
      expect(inbox).to.have.length(before);
    });

    it('takes the largest events, and answers 413 to a body beyond 1 MiB', async () => {
      for (const [length, status] of [
        [1_000_000, 204],
        [1_100_000, 413],
        [5_000_000, 413],
      ] as const) {
        const { body, headers } = signed([fresh], 'x'.repeat(length));
        expect((await receiver.send(body, headers)).status).to.equal(status);
      }
    });

    // Next brings its own server: there is none here to send to.
    if (name !== 'next') {
      it('takes the event that sendTestEvent sends', async () => {
        expect((await sendTestEvent(receiver.url ?? '', fresh)).status).to.equal(204);
        expect(inbox.at(-1)).to.deep.include({ type: 'link.deleted', test: true });
      });
    }
  });
}

/** A request for an example that has no server of its own. */
export function signedRequest(): { url: string; init: RequestInit } {
  const { body, headers } = signed();
  return requestOf(body, headers);
}

export function requestOf(body: string, headers = {}): { url: string; init: RequestInit } {
  return { url: `https://example.com${path}`, init: post(body, headers) };
}

export async function serve(server: Server): Promise<ExampleReceiver> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return receiverAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => {
    server.close();
    server.closeAllConnections();
  });
}

export function receiverAt(origin: string, stop: () => unknown): ExampleReceiver {
  const url = `${origin}${path}`;
  return { url, stop, send: (body, headers) => fetch(url, post(body, headers)) };
}

function signed(secrets: readonly string[] = [fresh, old], title = 'Frühling ☀') {
  const event = testEvent('link.created', { link: { id: 'lnk_1', title } });
  const body = JSON.stringify(event);
  return { event, body, headers: { 'SVC-Signature': signatureHeader({ rawBody: body, secrets }) } };
}
