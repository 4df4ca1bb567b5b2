// stores: any
import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { CLICK_TOKEN_SECONDS, issueClickToken, signClickToken } from '../../../src/attribution/clickTokens.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { flagLink } from '../../../src/links/flagService.ts';
import type { Reply } from '../../support/api.ts';
import * as appLinks from '../../support/appLinks.ts';
import type { MadeLink } from '../../support/createLink.ts';
import { expectMatch, expectNone, IPHONE, newAddress, PIXEL, type Sdk, sdkOf } from '../../support/sdk.ts';
import { stopClock } from '../../support/stopClock.ts';

const { GO, locationOf, tokenIn } = appLinks;
const DAY_SECONDS = 86_400;

describe('openings of an app with the token of a click', () => {
  const { tenants, make, follow, openPage } = appLinks.useAppLinks();
  let sdk: Sdk;
  let link: MadeLink;

  before(async () => {
    sdk = await sdkOf(tenants().mine);
  });
  beforeEach(async () => {
    link = await make('store');
  });
  afterEach(() => clock.reset());

  /** What Google Play hands to the app that somebody on Android installs. */
  const referrerOf = async (target = link, from = newAddress()) => {
    const location = locationOf(
      await follow(target, PIXEL.headers['User-Agent'] ?? '', '', { 'X-Forwarded-For': from }),
    );
    const [, fallback = ''] = /S\.browser_fallback_url=([^;]*)/.exec(location) ?? [];
    return String(new URL(decodeURIComponent(fallback)).searchParams.get('referrer'));
  };
  /** What the page before the App Store copies on an iPhone. */
  const clipboardOf = async (target = link, from = newAddress()) => {
    const location = locationOf(await follow(target, appLinks.IPHONE, '', { 'X-Forwarded-For': from }));
    const [, copied = ''] = /data-copy="([^"]*)"/.exec((await openPage(location)).body) ?? [];
    return copied.replaceAll('&amp;', '&');
  };
  const tokenOf = async (target = link, from = newAddress()) => tokenIn(await referrerOf(target, from));
  const claims = (more: object = {}) => ({
    ...{ clickId: newId('clk'), projectId: tenants().mine.projectId, linkId: link.id },
    ...more,
  });
  const clicksOn = async ({ id }: MadeLink) => (await tenants().mine.api('GET', `/links/${id}`)).body.clicks;

  describe('find the link', () => {
    it('by the referrer as Google Play gives it, however it is encoded and what stands beside it', async () => {
      const forms = [
        (referrer: string) => referrer,
        (referrer: string) => `utm_source=google-play&utm_medium=organic&${referrer}`,
        (referrer: string) => `${referrer}&utm_source=x&gclid=y`,
        (referrer: string) => encodeURIComponent(referrer),
        (referrer: string) => encodeURIComponent(`utm_source=x&${referrer}&a=b`),
        (referrer: string) => `?${referrer}`,
      ];
      for (const form of forms) {
        const install_referrer = form(await referrerOf());
        const reply = await sdk.open({ ...PIXEL.device, install_referrer }, { from: newAddress() });
        expectMatch(reply, 'referrer', link);
        expect(reply.body.match.factors).to.deep.equal([{ name: 'referrer', points: 100 }]);
      }
      expect(await clicksOn(link)).to.equal(forms.length);
    });

    it('by the clipboard as the page copies it, and by text around it', async () => {
      const forms = [
        (copied: string) => copied,
        (copied: string) => ` ${copied}\n`,
        (copied: string) => `Look: ${copied} and the rest`,
        (copied: string) => `${copied}#part`,
        (copied: string) => `${copied}&utm_source=x`,
      ];
      for (const form of forms) {
        const copied = await clipboardOf();
        expect(copied).to.match(new RegExp(`^http://${GO}/${link.slug}\\?svc_click=1\\.`));
        const reply = await sdk.open({ clipboard: form(copied) }, { from: newAddress() });
        expectMatch(reply, 'clipboard', link);
        expect(reply.body.match.factors).to.deep.equal([{ name: 'clipboard', points: 100 }]);
      }
      expect(await clicksOn(link)).to.equal(forms.length);
    });

    it('by the URL that opened the app, which is no second click; the moment is that of the click', async () => {
      const now = stopClock();
      const forms = [
        (token: string) => `https://${GO}/${link.slug}?svc_click=${token}`,
        (token: string) => `myapp://p/42?svc_click=${token}`,
        (token: string) => `myapp://p/42?a=1&svc_click=${token}&b=2`,
      ];
      for (const [index, form] of forms.entries()) {
        const clickedAt = new Date(now.nowMs).toISOString();
        const url = form(await tokenOf());
        now.move(3600);
        const reply = await sdk.open({ url, first_open: index === 0 });
        expectMatch(reply, 'link', link);
        expect(reply.body.match.clicked_at).to.equal(clickedAt);
        expect(reply.body.link.slug).to.equal(link.slug);
      }
      // An opening at the first time has brought what was written down to the store.
      await sdk.open();
      expect(await clicksOn(link)).to.equal(forms.length);
    });

    it('in this order: URL, referrer, clipboard; one that is worthless gives way, and is told of', async () => {
      const [a, b, c] = [await make('store'), await make('store'), await make('store')];
      const url = `https://${GO}/${a.slug}?svc_click=${await tokenOf(a)}`;
      const [install_referrer, clipboard] = [await referrerOf(b), await clipboardOf(c)];
      const factorsOf = ({ body }: Reply) => body.match.factors.map(({ name }: { name: string }) => name);
      expectMatch(await sdk.open({ url, install_referrer, clipboard }), 'link', a);
      // A used token opens its link as the URL without it does.
      for (const [opened, factors] of [
        [url, ['link', 'token_used']],
        [`https://${GO}/${a.slug}`, ['link']],
      ] as const) {
        const reply = await sdk.open({ url: opened, install_referrer, clipboard });
        expectMatch(reply, 'link', a);
        expect(factorsOf(reply)).to.deep.equal(factors);
      }
      expect(await clicksOn(a)).to.equal(3);
      expectMatch(await sdk.open({ url: 'myapp://home', install_referrer, clipboard }), 'referrer', b);
      const last = await sdk.open({ install_referrer: 'svc_click=x', clipboard });
      expectMatch(last, 'clipboard', c);
      expect(factorsOf(last)).to.deep.equal(['clipboard', 'token_malformed']);
    });

    it('before the click is in the store, without consent, on the web, with matching switched off', async () => {
      const { api, projectId } = tenants().mine;
      await api('PATCH', `/projects/${projectId}`, { probabilistic_matching: false });
      const clipboard = `svc_click=${issueClickToken(claims(), Date.now())}`;
      const reply = await sdk.open({ platform: 'web', clipboard, consent: false });
      await api('PATCH', `/projects/${projectId}`, { probabilistic_matching: true });
      expectMatch(reply, 'clipboard', link);
    });

    it('that is closed to others by now: its visitor has been let in', async () => {
      const ways = [{ archived: true }, { expires_at: new Date(Date.now() - 1000).toISOString() }, { click_limit: 1 }];
      for (const way of ways) {
        const closed = await make('store');
        const clipboard = await clipboardOf(closed);
        await tenants().mine.api('PATCH', `/links/${closed.id}`, way);
        expectMatch(await sdk.open({ clipboard }), 'clipboard', closed);
      }
    });

    it('until the last of 90 days', async () => {
      const now = stopClock();
      const [early, late] = [await referrerOf(), await referrerOf()];
      now.move(90 * DAY_SECONDS - 1);
      expectMatch(await sdk.open({ install_referrer: early }), 'referrer', link);
      now.move(1);
      expectNone(await sdk.open({ install_referrer: late }), 'token_expired');
    });

    it('again for the install that used it, when it is opened by it later', async () => {
      const token = await tokenOf();
      const install_id = randomUUID();
      expectMatch(await sdk.open({ install_id, install_referrer: `svc_click=${token}` }), 'referrer', link);
      const url = `myapp://p/42?svc_click=${token}`;
      for (let times = 0; times < 2; times += 1) {
        expectMatch(await sdk.open({ install_id, first_open: false, url }), 'link', link);
      }
      expectNone(await sdk.open({ first_open: false, url }), 'token_used');
      expect(await clicksOn(link)).to.equal(1);
    });

    it('at the first opening alone, by referrer and clipboard; later they are not used up', async () => {
      const [install_referrer, clipboard] = [await referrerOf(), await clipboardOf()];
      expectNone(await sdk.open({ first_open: false, install_referrer, clipboard }), 'not_first_open');
      expectMatch(await sdk.open({ install_referrer }), 'referrer', link);
      expectMatch(await sdk.open({ clipboard }), 'clipboard', link);
    });
  });

  describe('that are worthless find nothing, and no likely click takes their place', () => {
    type Bring = (token: string) => Promise<string> | string;

    const flipped = (token: string, at: number) => {
      const place = (at + token.length) % token.length;
      return `${token.slice(0, place)}${token[place] === '0' ? '1' : '0'}${token.slice(place + 1)}`;
    };
    const ofLink = (spoil: (id: string) => Promise<unknown>) => async () => {
      const target = await make('store');
      const token = await tokenOf(target);
      await spoil(target.id);
      return token;
    };
    const expiresAt = () => Date.now() + CLICK_TOKEN_SECONDS * 1000;
    const ROWS: [string, string, Bring][] = [
      ['nothing', 'token_malformed', () => ''],
      ['nonsense', 'token_malformed', () => 'nonsense'],
      ['a part', 'token_malformed', (token) => token.slice(0, -1)],
      ['another version', 'token_malformed', (token) => `2${token.slice(1)}`],
      ['capitals', 'token_malformed', (token) => token.toUpperCase()],
      ...[2, 28, 30, 55, 57, 82, 84, 88, -20, -2].map((at): [string, string, Bring] => [
        `another character at ${at}`,
        [28, 55, 82].includes(at) ? 'token_malformed' : 'token_forged',
        (token) => flipped(token, at),
      ]),
      [
        'another key',
        'token_forged',
        () => signClickToken({ ...claims(), pass: null, expiresAt: expiresAt() }, randomBytes(32)),
      ],
      ['90 days', 'token_expired', () => issueClickToken(claims(), Date.now() - CLICK_TOKEN_SECONDS * 1000 - 1000)],
      ['another project', 'token_foreign', async () => tokenOf(await make('store', {}, tenants().plain))],
      [
        'the claim of another project on our link',
        'token_foreign',
        () => issueClickToken(claims({ projectId: tenants().plain.projectId }), Date.now()),
      ],
      [
        "our claim on another project's link",
        'link_gone',
        async () => issueClickToken(claims({ linkId: (await make('store', {}, tenants().plain)).id }), Date.now()),
      ],
      [
        'another install',
        'token_used',
        async (token) => {
          expectMatch(await sdk.open({ install_referrer: `svc_click=${token}` }), 'referrer', link);
          return token;
        },
      ],
      ['a deleted link', 'link_gone', ofLink((id) => tenants().mine.api('DELETE', `/links/${id}`))],
      ['a flagged link', 'link_flagged', ofLink((id) => flagLink(id, 'phishing'))],
    ];

    for (const [name, factor, bring] of ROWS) {
      it(`${factor}: ${name}`, async () => {
        const from = newAddress();
        const likely = await make('store');
        await follow(likely, appLinks.IPHONE, '', { ...IPHONE.headers, 'X-Forwarded-For': from });
        const token = await bring(await tokenOf());
        expectNone(await sdk.open({ url: `myapp://p?svc_click=${token}`, first_open: false }, { from }), factor);
        expectNone(await sdk.open({ install_referrer: `svc_click=${token}&utm_source=x` }, { from }), factor);
        expectNone(await sdk.open({ clipboard: `http://${GO}/${link.slug}?svc_click=${token}` }, { from }), factor);
        // It was there all the time.
        expectMatch(await sdk.open({}, { from }), 'probabilistic', likely);
      });
    }

    it('install_before_click: what Google Play tells of the times', async () => {
      const now = stopClock();
      const at = (seconds: number) => new Date(now.nowMs + seconds * 1000).toISOString();
      const rows: [string | null, string | null, boolean][] = [
        [at(-301), null, false],
        [at(-3600), at(-7200), false],
        [at(5), at(306), false],
        // Clocks differ.
        [at(-299), null, true],
        [at(5), at(6), true],
        [at(0), null, true],
        [at(5), at(5), true],
        [at(5), at(0), true],
        [at(5), null, true],
        [null, at(9), true],
        // Where Google Play does not know, it says 0.
        ['1970-01-01T00:00:00.000Z', at(9), true],
      ];
      for (const [install_begin_at, referrer_click_at, holds] of rows) {
        const body = { install_begin_at, referrer_click_at };
        const install_referrer = await referrerOf();
        const reply = await sdk.open({ ...body, install_referrer });
        if (holds) expectMatch(reply, 'referrer', link);
        else expectNone(reply, 'install_before_click');
        // They are about that referrer alone.
        expectMatch(await sdk.open({ ...body, clipboard: await clipboardOf() }), 'clipboard', link);
      }
    });

    it('a referrer and a clipboard without one say nothing: clicks are compared', async () => {
      const texts = [
        'utm_source=google-play&utm_medium=organic',
        'svc_clicks=1',
        'my secret',
        `http://${GO}/${link.slug}`,
      ];
      for (const text of texts) {
        const from = newAddress();
        await follow(link, appLinks.IPHONE, '', { ...IPHONE.headers, 'X-Forwarded-For': from });
        expectMatch(await sdk.open({ install_referrer: text, clipboard: text }, { from }), 'probabilistic', link);
      }
    });
  });
});
