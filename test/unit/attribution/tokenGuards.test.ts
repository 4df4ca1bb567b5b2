// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import {
  CLICK_TOKEN_SECONDS,
  checkToken,
  type TokenContext,
  tokenIn,
  type VerifiedToken,
} from '../../../src/attribution/clickTokens.ts';

const TOKEN = `1.${'a'.repeat(26)}.${'b'.repeat(26)}.${'c'.repeat(26)}.t0abcd.AbC-_dEfGhIjKlMnOpQrSt`;

describe('the token in what a device brings', () => {
  it('is found wherever it stands, also where it was encoded once more', () => {
    const found = [
      `svc_click=${TOKEN}`,
      `svc_click%3D${TOKEN}`,
      `svc_click%3d${TOKEN}`,
      `https://go.example.com/spring?svc_click=${TOKEN}`,
      `https://go.example.com/spring?a=1&svc_click=${TOKEN}&b=2`,
      `https://go.example.com/spring?svc_click=${TOKEN}#top`,
      `myapp://p/42?svc_click=${TOKEN}`,
      `myapp://p/42#svc_click=${TOKEN}`,
      `utm_source=google-play&utm_medium=organic&svc_click=${TOKEN}`,
      `utm_source%3Dgoogle-play%26svc_click%3D${TOKEN}%26a%3D1`,
      encodeURIComponent(`https://go.example.com/spring?svc_click=${TOKEN}`),
      `Look: https://go.example.com/spring?svc_click=${TOKEN} and more`,
      `\nsvc_click=${TOKEN}\n`,
      `SVC_CLICK=${TOKEN}`,
    ];
    for (const text of found) expect(tokenIn(text), text).to.equal(TOKEN);
  });

  it('is none where there is no such parameter, and empty where it has no value', () => {
    const none = [
      null,
      undefined,
      '',
      TOKEN,
      'https://go.example.com/spring',
      `xsvc_click=${TOKEN}`,
      'svc_click',
      'svc_clicks=1',
    ];
    for (const text of none) expect(tokenIn(text), String(text)).to.equal(null);
    for (const text of ['svc_click=', 'svc_click=&a=1', 'svc_click=#x']) expect(tokenIn(text), text).to.equal('');
  });

  it('comes out of every URL, referrer and clipboard as it went in', () => {
    const parameters = fc.array(
      fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ unit: 'binary', maxLength: 20 })),
      {
        maxLength: 5,
      },
    );
    const clean = ([name]: [string, string]) => name !== 'svc_click';
    fc.assert(
      fc.property(parameters, parameters, fc.boolean(), (before, after, isTwice) => {
        const query = new URLSearchParams([...before.filter(clean), ['svc_click', TOKEN], ...after.filter(clean)]);
        const url = `https://go.example.com/spring?${query}`;
        for (const text of [url, String(query)])
          expect(tokenIn(isTwice ? encodeURIComponent(text) : text)).to.equal(TOKEN);
      }),
    );
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => void tokenIn(text)));
  });
});

describe('what a token is worth', () => {
  const clickedAt = Date.UTC(2026, 10, 21, 12);
  const ids = { clickId: 'clk_1', projectId: 'prj_1', linkId: 'lnk_1', pass: null };
  const genuine: VerifiedToken = { ok: true, ...ids, expiresAt: clickedAt + CLICK_TOKEN_SECONDS * 1000 };
  const judge = (verified: VerifiedToken, more: Partial<TokenContext> = {}) => {
    const judged = checkToken(verified, { projectId: 'prj_1', installBeginAt: null, referrerClickAt: null, ...more });
    return judged.ok ? judged : judged.problem;
  };
  const good = { ok: true, clickId: 'clk_1', linkId: 'lnk_1', pass: null, clickedAt };

  it('is the click that it names, in its own project', () => {
    expect(judge(genuine)).to.deep.equal(good);
    expect(judge(genuine, { projectId: 'prj_2' })).to.equal('token_foreign');
    for (const why of ['malformed', 'forged', 'expired'] as const)
      expect(judge({ ok: false, why })).to.equal(`token_${why}`);
  });

  it('is nothing for an app that was being installed before the click', () => {
    const table: [begin: number | null, referrer: number | null, isGood: boolean][] = [
      [clickedAt, null, true],
      [clickedAt + 1000, clickedAt, true],
      // Clocks differ, by five minutes at most.
      [clickedAt - 300_000, null, true],
      [clickedAt - 301_000, null, false],
      [clickedAt - 301_000, clickedAt - 302_000, false],
      [clickedAt + 1000, clickedAt + 301_000, true],
      [clickedAt + 1000, clickedAt + 302_000, false],
      [clickedAt + 1000, clickedAt + 1000, true],
      [null, clickedAt + 2000, true],
      // Google Play says 0 for what it does not know.
      [0, clickedAt, true],
    ];
    for (const [installBeginAt, referrerClickAt, isGood] of table)
      expect(judge(genuine, { installBeginAt, referrerClickAt }), `${installBeginAt} ${referrerClickAt}`).to.deep.equal(
        isGood ? good : 'install_before_click',
      );
  });
});
