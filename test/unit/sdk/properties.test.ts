// stores: any
import { expect } from 'chai';
import fc from 'fast-check';
import { constructEvent, signatureHeader, testEvent, verifySignature } from '../../../sdk/webhooks/index.ts';

const secret = fc.string({ minLength: 1, unit: 'binary' }).filter((text) => text !== '' && text === text.trim());
const secrets = fc.uniqueArray(secret, { minLength: 1, maxLength: 3 });
const atSeconds = fc.integer({ min: 0, max: 4_102_444_800 });
const dateOf = (seconds: number) => new Date(seconds * 1000);

describe('any body and secrets', () => {
  it('come back as the event that was signed, as text and as bytes', () => {
    const data = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ stringUnit: 'grapheme' }));
    fc.assert(
      fc.property(data, secrets, fc.nat(), atSeconds, (given, live, pick, timestamp) => {
        const rawBody = JSON.stringify(testEvent('app.event', given));
        const header = signatureHeader({ rawBody, secrets: live, timestamp });
        const known = live[pick % live.length] ?? '';
        const options = { now: dateOf(timestamp) };
        const event = constructEvent(rawBody, header, known, options);
        expect(event).to.deep.equal(JSON.parse(rawBody));
        expect(constructEvent(Buffer.from(rawBody), header, known, options)).to.deep.equal(event);
      }),
    );
  });

  it('are refused when any one byte is another', () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(
        bytes,
        secret,
        atSeconds,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (body, key, at, place, flip) => {
          const header = signatureHeader({ rawBody: body, secret: key, timestamp: at });
          const tampered = Uint8Array.from(body);
          const index = place % body.length;
          tampered[index] = (body[index] ?? 0) ^ flip;
          const options = { now: dateOf(at) };
          verifySignature(body, header, key, options);
          expect(() => verifySignature(tampered, header, key, options))
            .to.throw()
            .with.property('code', 'signature_mismatch');
        },
      ),
    );
  });

  it('are refused whatever the header is that was not signed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.string()), forgedHeader()), (header) => {
        expect(() => verifySignature('{}', header, 'whsec_a', { now: dateOf(5) }))
          .to.throw()
          .with.property('name', 'WebhookVerificationError');
      }),
    );
  });
});

const forgedHeader = () =>
  fc
    .array(
      fc.oneof(fc.stringMatching(/^[0-9a-f]{64}$/), fc.string()).map((v1) => `v1=${v1}`),
      { maxLength: 5 },
    )
    .map((parts) => ['t=5', ...parts].join(','));
