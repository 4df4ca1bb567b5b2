// stores: any
import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import {
  constructEvent,
  signatureHeader,
  type VerifyOptions,
  verifySignature,
  WebhookVerificationError,
  type WebhookVerificationErrorCode,
} from '../../../sdk/webhooks/index.ts';

const secret = 'whsec_wpqYvTnCWRmF6d3vh8sGJg0lK7n2bXcZo4eUy1iTa5Q';
const at = 1_790_000_000;
const now = new Date(at * 1000);
const body = '{"id":"evt_1","type":"link.created","data":{"title":"Frühling ☀"}}';
const latin1 = Buffer.from('{"id":"evt_1","type":"link.created","data":{"title":"Frühling"}}', 'latin1');
const header = signatureHeader({ rawBody: body, secret, timestamp: at });
const v1 = header.slice(header.indexOf('v1='));
const signed = (rawBody: string | Buffer) => signatureHeader({ rawBody, secret, timestamp: at });
const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('hex');

interface Case {
  rawBody?: unknown;
  header?: unknown;
  secrets?: unknown;
  options?: Record<string, unknown>;
}

/** What plain JavaScript can pass, past all types. */
function construct({ options, ...given }: Case) {
  const { rawBody, header: value, secrets } = { rawBody: body, header, secrets: secret, ...given };
  const all = { now, ...options } as VerifyOptions;
  return constructEvent(rawBody as string, value as string, secrets as string, all);
}

const REFUSED: Record<WebhookVerificationErrorCode, Record<string, Case>> = {
  missing_header: {
    undefined: { header: undefined },
    'null, of Fetch': { header: null },
    'empty, of Koa': { header: '' },
    blank: { header: '  ' },
    'an empty list': { header: [] },
  },
  malformed_header: {
    'no t': { header: v1 },
    'no v1': { header: `t=${at}` },
    'a scheme that is not v1 alone': { header: `t=${at},v2=${v1.slice(3)}` },
    'an empty t': { header: `t=,${v1}` },
    'a negative t': { header: `t=-${at},${v1}` },
    'a fraction': { header: `t=${at}.5,${v1}` },
    'a t in hex': { header: `t=0x6ab13b80,${v1}` },
    'an exponent': { header: `t=1e9,${v1}` },
    'digits of another script': { header: `t=١٧٩,${v1}` },
    'two t': { header: `t=${at},t=${at},${v1}` },
    'two headers': { header: [header, header] },
    'a list of one': { header: [header] },
    'other key case': { header: header.toUpperCase() },
    semicolons: { header: header.replace(',', ';') },
    nonsense: { header: 'Bearer abc' },
  },
  signature_mismatch: {
    'another body': { rawBody: body.replace('evt_1', 'evt_2') },
    'a byte more': { rawBody: `${body} ` },
    'a body written again': { rawBody: JSON.stringify(JSON.parse(body), null, 1) },
    'no body': { rawBody: '' },
    'another time': { header: header.replace(`${at}`, `${at + 1}`) },
    'the same time with a zero before it': { header: header.replace(`${at}`, `0${at}`) },
    'another secret': { secrets: 'whsec_other' },
    'the secret without whsec_': { secrets: secret.slice(6) },
    'only other secrets': { secrets: ['whsec_one', 'whsec_two'] },
    'uppercase hex': { header: `t=${at},v1=${v1.slice(3).toUpperCase()}` },
    'a v1 too short': { header: header.slice(0, -1) },
    'a v1 too long': { header: `${header}0` },
    'an empty v1': { header: `t=${at},v1=` },
    'a v1 of as many characters and more bytes': { header: `t=${at},v1=${'é'.repeat(64)}` },
    'a very long v1': { header: `t=${at},v1=${'a'.repeat(10_000)}` },
    'an HMAC of the body alone': { header: `t=${at},v1=${hmac(body)}` },
    'an HMAC of the wrong time': { header: `t=${at},v1=${hmac(`${at - 1}.${body}`)}` },
  },
  timestamp_too_old: {
    'a second beyond the default': { options: { now: new Date((at + 301) * 1000) } },
    'a second beyond a tolerance': { options: { now: new Date((at + 11) * 1000), toleranceSeconds: 10 } },
    'any age with none': { options: { now: new Date((at + 1) * 1000), toleranceSeconds: 0 } },
    'of 1970': { header: signatureHeader({ rawBody: body, secret, timestamp: 0 }) },
  },
  timestamp_in_future: {
    'a second beyond the default': { options: { now: new Date((at - 301) * 1000) } },
    'a second beyond a tolerance': { options: { now: new Date((at - 11) * 1000), toleranceSeconds: 10 } },
    'in milliseconds': { header: signatureHeader({ rawBody: body, secret, timestamp: at * 1000 }) },
    'of more digits than a number has': {
      header: `t=${'9'.repeat(400)},v1=${hmac(`${'9'.repeat(400)}.${body}`)}`,
    },
  },
  body_not_json: {
    empty: { rawBody: '', header: signed('') },
    text: { rawBody: 'hello', header: signed('hello') },
    'cut off': { rawBody: body.slice(0, -1), header: signed(body.slice(0, -1)) },
    'an event whose bytes are no UTF-8': { rawBody: latin1, header: signed(latin1) },
    'a byte order mark before it, as text': { rawBody: `\ufeff${body}`, header: signed(`\ufeff${body}`) },
    'a byte order mark before it, as bytes': { rawBody: Buffer.from(`\ufeff${body}`), header: signed(`\ufeff${body}`) },
    null: { rawBody: 'null', header: signed('null') },
    'a number': { rawBody: '7', header: signed('7') },
    'a list': { rawBody: `[${body}]`, header: signed(`[${body}]`) },
    'no event': { rawBody: '{"id":"evt_1"}', header: signed('{"id":"evt_1"}') },
  },
  body_is_batch: {
    'a batch of one': {
      rawBody: `{"type":"batch","events":[${body}]}`,
      header: signed(`{"type":"batch","events":[${body}]}`),
    },
  },
  body_not_raw: {
    'an object, parsed': { rawBody: JSON.parse(body) },
    'an empty object, of a parser that skipped it': { rawBody: {} },
    undefined: { rawBody: undefined },
    null: { rawBody: null },
    'a number': { rawBody: 1 },
    'a promise, not awaited': { rawBody: Promise.resolve(body) },
  },
  invalid_secret: {
    'a line break at its end': { secrets: `${secret}\n` },
    'a line break of Windows': { secrets: `${secret}\r\n` },
    'a space before it': { secrets: ` ${secret}` },
    'a tab behind one of several': { secrets: [secret, `${secret}\t`] },
  },
  missing_secret: {
    undefined: { secrets: undefined },
    null: { secrets: null },
    empty: { secrets: '' },
    blank: { secrets: ' \n' },
    'an empty list': { secrets: [] },
    'an empty one in a list': { secrets: [secret, ''] },
    'undefined in a list': { secrets: [undefined, secret] },
    'a header signed with an empty key': {
      secrets: '',
      header: `t=${at},v1=${createHmac('sha256', '').update(`${at}.${body}`).digest('hex')}`,
    },
  },
  invalid_options: {
    'no number': { options: { toleranceSeconds: Number.NaN } },
    'a negative tolerance': { options: { toleranceSeconds: -1 } },
    'a tolerance in text': { options: { toleranceSeconds: '300' } },
    'a tolerance of null': { options: { toleranceSeconds: null } },
    'an invalid date': { options: { now: new Date('never') } },
    'now as a number': { options: { now: at } },
  },
};

describe('the webhook SDK refuses', () => {
  for (const [code, cases] of Object.entries(REFUSED)) {
    for (const [name, given] of Object.entries(cases)) {
      it(`${name} with ${code}`, () => {
        const error = refusal(() => construct(given));
        expect(error.code).to.equal(code);
        expect(error.name).to.equal('WebhookVerificationError');
        expect(error.message).to.have.length.above(40);
        expectNoSecrets(error);
      });
    }
  }

  it('the same in verifySignature, apart from what is in the body', () => {
    expect(refusal(() => verifySignature('{', header, secret, { now })).code).to.equal('signature_mismatch');
    expect(() => verifySignature('{', signed('{'), secret, { now })).not.to.throw();
    const parsed = JSON.parse(body);
    expect(refusal(() => verifySignature(parsed, header, secret, { now })).code).to.equal('body_not_raw');
  });

  it('a parsed body with a message that names the way out in each framework', () => {
    const { message } = refusal(() => construct({ rawBody: JSON.parse(body) }));
    for (const word of ['express.raw', 'Koa', 'addContentTypeParser', 'request.text()', 'node:http']) {
      expect(message).to.contain(word);
    }
  });
});

function refusal(act: () => unknown): WebhookVerificationError {
  try {
    act();
  } catch (error) {
    expect(error).to.be.instanceOf(WebhookVerificationError);
    return error as WebhookVerificationError;
  }
  throw new Error('It was accepted.');
}

function expectNoSecrets(error: WebhookVerificationError): void {
  const told = `${error.stack} ${JSON.stringify(error)}`;
  for (const hidden of [secret, secret.slice(6), v1.slice(3), 'evt_1']) expect(told).not.to.contain(hidden);
}
