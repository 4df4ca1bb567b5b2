// stores: any
import { expect } from 'chai';
import Stripe from 'stripe';
import { EVENT_TYPES } from '../../../src/events/catalogue.ts';
import { AGENTS } from '../../support/agents.ts';
import { itIsVerifiedBy } from '../../support/itIsVerifiedBy.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { useWorld } from '../../support/world.ts';

const { webhooks: verifier } = new Stripe('sk_test_not_used');

describe('SVC-Signature', () => {
  itIsVerifiedBy('the library of Stripe', (body, header, secret) => verifier.constructEvent(body, header, secret));
});

describe('deliveries, verified by the library of Stripe', () => {
  const world = useWorld();
  let receiver: Receiver;
  let webhook: { id: string; secret: string };

  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver.close());
  beforeEach(async () => {
    receiver.received.length = 0;
    webhook = (await world.api('POST', '/webhooks', { url: receiver.url })).body;
  });
  afterEach(() => world.api('DELETE', `/webhooks/${webhook.id}`));

  const sample = async (type: string) => {
    const { body } = await world.api('POST', `/webhooks/${webhook.id}/test`, { type });
    return receiver.waitFor(({ headers }) => headers['svc-delivery-id'] === body.id, type);
  };

  it('are signed by each live secret', async () => {
    const secrets = [webhook.secret];
    for (const options of [{}, { expire_previous_seconds: 3600 }]) {
      const { body } = await world.api('POST', `/webhooks/${webhook.id}/rotate_secret`, options);
      secrets.push(body.secret);
    }
    const { body, headers, event } = await sample('link.created');
    for (const secret of secrets) {
      expect(verifier.constructEvent(body, String(headers['svc-signature']), secret).id).to.equal(event.id);
    }
    expect(new Set(secrets).size).to.equal(3);
  });

  it('are signed whatever the type of the event is', async () => {
    for (const type of Object.keys(EVENT_TYPES)) {
      const { body, headers, event } = await sample(type);
      expect(event).to.include({ type, test: true });
      const signature = String(headers['svc-signature']);
      expect(verifier.constructEvent(body, signature, webhook.secret).id).to.equal(event.id);
    }
  });

  it('are signed where a link is created and followed, and no other body fits', async () => {
    const destination = 'https://www.example.com/';
    const { status } = await world.api('POST', '/links', { destination, slug: 'signed' });
    expect(status).to.equal(201);
    await fetch(`${world.origin}/signed`, { redirect: 'manual', headers: { 'User-Agent': AGENTS.human } });
    for (const type of ['link.created', 'link.clicked']) {
      const { body, headers } = await receiver.waitFor(({ event }) => event.type === type, type, 20_000);
      const signature = String(headers['svc-signature']);
      expect(verifier.constructEvent(body, signature, webhook.secret)).to.have.property('id', headers['svc-event-id']);
      const tampered = body.replace('"', "'");
      expect(() => verifier.constructEvent(tampered, signature, webhook.secret)).to.throw(/signature/i);
    }
  });
});
