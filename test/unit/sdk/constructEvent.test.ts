// stores: any
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import {
  constructEvent,
  type SignatureHeaderValue,
  signatureHeader,
  testEvent,
  verifySignature,
  type WebhookEventType,
} from '../../../sdk/webhooks/index.ts';
import { EVENT_TYPES, type EventType } from '../../../src/events/catalogue.ts';
import { signatureHeader as productHeader } from '../../../src/webhooks/requestHeaders.ts';
import { sampleData } from '../../../src/webhooks/samples.ts';
import { newWebhookSecret } from '../../../src/webhooks/secretService.ts';

const at = 1_790_000_000;
const now = new Date(at * 1000);
const secret = newWebhookSecret();
const event = testEvent('link.created', { title: 'Frühling ☀ 日本語 👩‍👩‍👧' });
const body = JSON.stringify(event);
const header = productHeader([secret], body, at);

describe('constructEvent', () => {
  for (const type of Object.keys(EVENT_TYPES) as EventType[]) {
    it(`gives ${type} as the product signs it`, () => {
      const sent = testEvent(known(type), sampleData(type));
      const rawBody = JSON.stringify(sent);
      const received = constructEvent(rawBody, productHeader([secret], rawBody, at), secret, { now });
      expect(received).to.deep.equal(sent);
    });
  }

  const bytes = Buffer.from(body);
  const padded = Buffer.concat([Buffer.from('##'), bytes, Buffer.from('##')]);
  const bodies = {
    text: body,
    'a Buffer': bytes,
    'a Uint8Array': new Uint8Array(bytes),
    'a part of a larger Buffer': padded.subarray(2, -2),
    'a Uint8Array of another realm': runInNewContext('Uint8Array.from(bytes)', { bytes: [...bytes] }),
  };
  for (const [name, rawBody] of Object.entries(bodies)) {
    it(`takes ${name}`, () => expect(constructEvent(rawBody, header, secret, { now })).to.deep.equal(event));
  }

  const wrong = `v1=${'0'.repeat(64)}`;
  const v1 = header.slice(header.indexOf('v1='));
  const headers: Record<string, SignatureHeaderValue> = {
    'as it is': header,
    'with spaces, as proxies join': ` t=${at} , ${v1} `,
    'with t after v1': `${v1},t=${at}`,
    'with a wrong v1 before': `t=${at},${wrong},${v1}`,
    'with a wrong v1 after': `t=${at},${v1},${wrong}`,
    'with a v1 of another length before': `t=${at},v1=ab,v1=,v1=${'c'.repeat(500)},${v1}`,
    'with unknown parts': `v0=old,t=${at},v2=abc=def,${v1},alg=hs256,flag,,v10=1,t2=5`,
  };
  for (const [name, value] of Object.entries(headers)) {
    it(`takes a header ${name}`, () => expect(constructEvent(body, value, secret, { now }).id).to.equal(event.id));
  }

  it('verifies at the present, 300 seconds to either side, when it is told no more', () => {
    const seconds = Math.floor(Date.now() / 1000);
    for (const timestamp of [seconds, seconds - 290, seconds + 290]) {
      expect(constructEvent(body, signatureHeader({ rawBody: body, secret, timestamp }), secret)).to.deep.equal(event);
    }
    const options = { toleranceSeconds: undefined, now: undefined };
    expect(constructEvent(body, signatureHeader({ rawBody: body, secret }), secret, options)).to.deep.equal(event);
  });

  for (const toleranceSeconds of [0, 1, 300, 3600, Number.POSITIVE_INFINITY]) {
    it(`takes what is up to ${toleranceSeconds} s old or ahead when that is the tolerance`, () => {
      const furthest = Math.min(toleranceSeconds, 10 * 365 * 86_400);
      for (const ageMs of [furthest * 1000, furthest * 1000 + 999, 0, -furthest * 1000]) {
        const later = new Date(at * 1000 + ageMs);
        expect(() => verifySignature(body, header, secret, { toleranceSeconds, now: later })).not.to.throw();
      }
    });
  }

  it('gives data in the shape that the caller claims', () => {
    const { data } = constructEvent<{ title: string }>(body, header, secret, { now });
    const title: string = data.title;
    expect(title).to.equal(event.data.title);
  });
});

/** That this compiles is the check: the types of the SDK are those of the product, no more and no fewer. */
function known(type: EventType): WebhookEventType {
  const back: (type: WebhookEventType) => EventType = (same) => same;
  return back(type);
}
