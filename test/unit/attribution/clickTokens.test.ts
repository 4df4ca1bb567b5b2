// stores: none
import { createHmac, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  CLICK_TOKEN_SECONDS,
  type ClickToken,
  signClickToken,
  verifyClickToken,
} from '../../../src/attribution/clickTokens.ts';
import { newId } from '../../../src/kernel/ids.ts';

const KEY = randomBytes(32);
const NOW = Date.UTC(2026, 10, 21);

function claims(parts: Partial<ClickToken> = {}): ClickToken {
  return {
    clickId: newId('clk'),
    projectId: newId('prj'),
    linkId: newId('lnk'),
    pass: null,
    expiresAt: NOW + CLICK_TOKEN_SECONDS * 1000,
    ...parts,
  };
}

const why = (token: string, keys = [KEY], now = NOW) => {
  const found = verifyClickToken(token, keys, now);
  return found.ok ? null : found.why;
};

describe('click tokens', () => {
  it('name click, project and link, in at most 200 characters that stand for themselves in a URL', () => {
    const day = fc.integer({ min: 0, max: 200 * 365 });
    fc.assert(
      fc.property(day, fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.boolean(), (days, bytes, isLocked) => {
        const key = Buffer.from(bytes);
        const pass = isLocked ? key.subarray(0, 6).toString('base64url') : null;
        const said = claims({ pass, expiresAt: NOW + (days + 1) * 86_400_000 });
        const token = signClickToken(said, key);
        expect(token).to.match(/^[A-Za-z0-9_.-]{1,200}$/);
        expect(encodeURIComponent(token)).to.equal(token);
        expect(verifyClickToken(token, [key], NOW)).to.deep.equal({ ok: true, ...said });
      }),
    );
  });

  it('are forged when a single character differs', () => {
    const token = signClickToken(claims(), KEY);
    const alphabet = [...'0123456789abcdefghjkmnpqrstvwxyzABCZ_-.'];
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(...alphabet), (at, character) => {
        fc.pre(token[at] !== character);
        expect(why(token.slice(0, at) + character + token.slice(at + 1))).to.be.oneOf(['malformed', 'forged']);
      }),
      { numRuns: 2000 },
    );
  });

  it('have one spelling: the spare bits of the last character are not free', () => {
    const token = signClickToken(claims(), KEY);
    const others = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].filter(
      (last) => last !== token.at(-1),
    );
    for (const last of others) expect(why(token.slice(0, -1) + last)).to.equal('forged');
  });

  it('are forged under another key, and hold under any of several', () => {
    const token = signClickToken(claims(), KEY);
    const other = randomBytes(32);
    expect(why(token, [other])).to.equal('forged');
    expect(why(token, [])).to.equal('forged');
    expect(why(token, [other, KEY])).to.equal(null);
  });

  it('keep 128 bits of HMAC-SHA256 over all that stands before', () => {
    const token = signClickToken(claims(), KEY);
    const end = token.lastIndexOf('.');
    const mac = createHmac('sha256', KEY).update(token.slice(0, end)).digest().subarray(0, 16);
    expect(token.slice(end + 1)).to.equal(mac.toString('base64url'));
  });

  it('last 90 days, to the second', () => {
    const issuedAt = NOW - CLICK_TOKEN_SECONDS * 1000;
    const token = signClickToken(claims({ expiresAt: NOW }), KEY);
    expect(why(token, [KEY], issuedAt)).to.equal(null);
    expect(why(token, [KEY], NOW - 1)).to.equal(null);
    expect(why(token, [KEY], NOW)).to.equal('expired');
    expect(CLICK_TOKEN_SECONDS).to.equal(7_776_000);
  });

  it('are malformed for whatever else is sent, and nothing throws', () => {
    const token = signClickToken(claims(), KEY);
    const misfits = [
      '',
      '.',
      `2${token.slice(1)}`,
      ` ${token}`,
      `${token} `,
      `${token}\n`,
      `${token}.`,
      token.repeat(2),
    ];
    for (const text of [...misfits, token.toUpperCase(), token.slice(0, -1)])
      expect(why(text), text).to.equal('malformed');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(why(text)).to.equal('malformed');
      }),
    );
  });
});
