// stores: none
import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { constructEvent } from '../../../sdk/webhooks/index.ts';
import { signatureHeader } from '../../../src/webhooks/requestHeaders.ts';
import { newWebhookSecret } from '../../../src/webhooks/secretService.ts';
import { itIsVerifiedBy } from '../../support/itIsVerifiedBy.ts';

const body = '{"id":"evt_1","data":{"title":"Frühling ☀"}}';

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

  itIsVerifiedBy('the package for receivers', constructEvent);
});

describe('a webhook secret', () => {
  it('is whsec_ and 32 random bytes in base64url', () => {
    const secrets = Array.from({ length: 50 }, newWebhookSecret);
    for (const secret of secrets) expect(secret).to.match(/^whsec_[A-Za-z0-9_-]{43}$/);
    expect(new Set(secrets).size).to.equal(50);
  });
});
