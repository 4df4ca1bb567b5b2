// stores: none
import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import Stripe from 'stripe';
import { signatureHeader } from '../../../src/webhooks/requestHeaders.ts';
import { newWebhookSecret } from '../../../src/webhooks/secretService.ts';

const body = '{"id":"evt_1","data":{"title":"Frühling ☀"}}';
const nowSeconds = () => Math.floor(Date.now() / 1000);

describe('SVC-Signature', () => {
  it('is t and the HMAC-SHA256 of t, a dot and the body, keyed by the whole secret', () => {
    const expected = createHmac('sha256', 'whsec_abc').update(`1700000000.${body}`).digest('hex');
    expect(signatureHeader(['whsec_abc'], body, 1_700_000_000)).to.equal(`t=1700000000,v1=${expected}`);
    expect(signatureHeader(['whsec_abc'], Buffer.from(body), 1_700_000_000)).to.equal(`t=1700000000,v1=${expected}`);
    // From `printf '1.{}' | openssl dgst -sha256 -hmac whsec_abc`.
    expect(signatureHeader(['whsec_abc'], '{}', 1)).to.equal(
      't=1,v1=07301c55760783275ad3b893a15abe1d07b70c8e96b12a204061b23840f0b05b',
    );
  });

  it('has one v1 for each live secret, in their order', () => {
    const [first, second] = ['whsec_new', 'whsec_old'].map((secret) => signatureHeader([secret], body, 5).slice(4));
    expect(signatureHeader(['whsec_new', 'whsec_old'], body, 5)).to.equal(`t=5,${first},${second}`);
  });

  it('is accepted by the verification that Stripe ships, with each live secret', () => {
    const header = signatureHeader(['whsec_new', 'whsec_old'], body, nowSeconds());
    const { webhooks } = new Stripe('sk_test_x');
    for (const secret of ['whsec_new', 'whsec_old']) {
      expect(webhooks.constructEvent(body, header, secret)).to.deep.equal(JSON.parse(body));
    }
  });

  it('is refused by it when a byte of the body, the time or the secret changes', () => {
    const { webhooks } = new Stripe('sk_test_x');
    const at = nowSeconds();
    const header = signatureHeader(['whsec_new'], body, at);
    const forgeries: [string, string, string][] = [
      [body.replace('evt_1', 'evt_2'), header, 'whsec_new'],
      [`${body} `, header, 'whsec_new'],
      [body, header.replace(`t=${at}`, `t=${at + 1}`), 'whsec_new'],
      [body, header, 'whsec_neu'],
      [body, signatureHeader(['whsec_new'], body, at - 301), 'whsec_new'],
    ];
    for (const [forgedBody, forgedHeader, secret] of forgeries) {
      expect(() => webhooks.constructEvent(forgedBody, forgedHeader, secret)).to.throw();
    }
  });
});

describe('a webhook secret', () => {
  it('is whsec_ and 32 random bytes in base64url', () => {
    const secrets = Array.from({ length: 50 }, newWebhookSecret);
    for (const secret of secrets) expect(secret).to.match(/^whsec_[A-Za-z0-9_-]{43}$/);
    expect(new Set(secrets).size).to.equal(50);
  });
});
