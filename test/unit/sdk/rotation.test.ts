// stores: any
import { expect } from 'chai';
import { signatureHeader, verifySignature } from '../../../sdk/webhooks/index.ts';
import { signatureHeader as productHeader } from '../../../src/webhooks/requestHeaders.ts';
import { newWebhookSecret } from '../../../src/webhooks/secretService.ts';

const rawBody = '{"id":"evt_1"}';
const at = 1_790_000_000;
const options = { now: new Date(at * 1000) };
const [a, b, c, d] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];

/** The secrets that the server signs with, those that the receiver knows, and whether they meet. */
const ROTATIONS: [string, string[], string | string[], boolean][] = [
  ['before: one and one', [a], a, true],
  ['the receiver is told first', [a], [b, a], true],
  ['the server rotates first, the receiver knows the old', [b, a], a, true],
  ['the server rotates first, the receiver knows the new', [b, a], b, true],
  ['both know both', [b, a], [b, a], true],
  ['both know both, in another order', [b, a], [a, b], true],
  ['after: the old one is forgotten by the server', [b], [b, a], true],
  ['the receiver kept the old one alone for too long', [b], a, false],
  ['three are live, the receiver knows the oldest', [c, b, a], a, true],
  ['three are live, the receiver knows the middle one', [c, b, a], [b], true],
  ['three are live, the receiver knows the newest', [c, b, a], c, true],
  ['the receiver knows three, the server signs with the last', [a], [c, b, a], true],
  ['three and three that have one in common', [c, b, a], [d, 'whsec_x', c], true],
  ['three and three that have none in common', [c, b, a], [d, 'whsec_x', 'whsec_y'], false],
];

describe('secrets while they are rotated', () => {
  for (const [name, signing, known, isAccepted] of ROTATIONS) {
    it(`${name}: ${isAccepted ? 'accepted' : 'refused'}`, () => {
      const verify = () => verifySignature(rawBody, productHeader(signing, rawBody, at), known, options);
      if (isAccepted) expect(verify).not.to.throw();
      else expect(verify).to.throw().with.property('code', 'signature_mismatch');
    });
  }

  it('sign in tests as the product does, for one secret and for three', () => {
    for (const secrets of [[a], [c, b, a]]) {
      for (const body of [rawBody, Buffer.from([0, 255, 10])]) {
        const expected = productHeader(secrets, body, at);
        expect(signatureHeader({ rawBody: body, secrets, timestamp: at })).to.equal(expected);
      }
    }
    expect(signatureHeader({ rawBody, secret: a, timestamp: at })).to.equal(productHeader([a], rawBody, at));
  });

  it('sign in tests with none that is empty', () => {
    expect(() => signatureHeader({ rawBody, secret: '' }))
      .to.throw()
      .with.property('code', 'missing_secret');
    expect(() => signatureHeader({ rawBody, secrets: [] }))
      .to.throw()
      .with.property('code', 'missing_secret');
  });
});
