import { expect } from 'chai';
import { constructEvent } from '../../../sdk/webhooks/constructEvent.ts';
import type { SendRequest } from '../../../src/webhooks/send.ts';
import type { Model } from './Model.ts';
import type { ModelClaim } from './modelTypes.ts';

/** What each event looked like when it was sent first. */
export type Bodies = Map<string, string>;

/** Checks a request as its receiver would, who knows every secret that the webhook has had. */
export function checkSent(
  { headers, body }: SendRequest,
  { delivery }: ModelClaim,
  model: Model,
  bodies: Bodies,
): void {
  const { event, webhook, log } = delivery;
  expect(headers).to.include({
    'SVC-Event-Id': event.id,
    'SVC-Delivery-Id': delivery.id,
    'SVC-Attempt': String(log.length + 1),
    'Content-Type': 'application/json',
    'User-Agent': 'SVC-Webhooks/1',
  });
  expect(webhook.isDeleted, 'sent to a webhook that is deleted').to.equal(false);
  expect(body, 'the bytes of a repeat').to.equal(bodies.get(event.id) ?? body);
  bodies.set(event.id, body);

  const header = headers['SVC-Signature'] as string;
  const [time, ...signatures] = header.split(',');
  expect(time).to.equal(`t=${Math.floor(model.nowMs / 1000)}`);
  const live = model.liveSecrets(webhook);
  expect(signatures).to.have.length(live.length).and.to.have.length.within(1, 3);
  const options = { now: new Date(model.nowMs) };
  live.forEach((secret, at) => {
    const envelope = constructEvent(body, `${time},${signatures[at]}`, secret, options);
    expect(envelope).to.include({ id: event.id, type: headers['SVC-Event-Type'], test: event.isTest });
  });
  for (const secret of model.deadSecrets(webhook)) {
    expect(() => constructEvent(body, header, secret, options), 'a dead secret').to.throw('No signature');
  }
}
