// stores: any
import { expect } from 'chai';
import { issueClickToken, readClickToken } from '../../../src/attribution/clickTokens.ts';
import { useClicks } from '../../../src/attribution/usedClicksStore.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { config } from '../../../src/kernel/config.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { AGENTS } from '../../support/agents.ts';
import {
  ANDROID,
  APPLE,
  clicksOf,
  GO,
  INSTAGRAM,
  IPHONE,
  intent,
  locationOf,
  masked,
  OTHER,
  PLAY,
  tokenIn,
  useAppLinks,
  WEB,
  WINDOWS,
} from '../../support/appLinks.ts';
import type { MadeLink } from '../../support/createLink.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import type { Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';

describe('links that open apps', () => {
  const { world, tenants, make, follow, openPage } = useAppLinks();

  it('leads people on phones to the app, its store or the fallback, by platform and fallback', async () => {
    const page = `${config.baseUrl}/_open?t=TOKEN`;
    const { mine, plain, bare } = tenants();
    const table: [string | null, Tenant, string, string][] = [
      ['store', mine, page, intent('p/42', 'myapp', `${PLAY}TOKEN`)],
      [OTHER, mine, OTHER, intent('p/42', 'myapp', OTHER)],
      [null, mine, WEB, intent('p/42', 'myapp', WEB)],
      ['store', plain, WEB, intent(`${GO}/SLUG`, 'https', `${PLAY}TOKEN`)],
      [OTHER, plain, OTHER, intent(`${GO}/SLUG`, 'https', OTHER)],
      [null, plain, WEB, intent(`${GO}/SLUG`, 'https', WEB)],
      ['store', bare, WEB, WEB],
    ];
    for (const [fallback, tenant, onIos, onAndroid] of table) {
      const link = await make(fallback, {}, tenant);
      const given = async (agent: string) => masked(locationOf(await follow(link, agent))).replace(link.slug, 'SLUG');
      expect(await given(IPHONE), `${fallback} on iOS`).to.equal(onIos);
      expect(await given(ANDROID), `${fallback} on Android`).to.equal(onAndroid);
      expect(await given(WINDOWS)).to.equal(WEB);
      for (const agent of [AGENTS.bot, AGENTS.scanner, `${ANDROID} (compatible; Googlebot/2.1)`])
        expect(await given(agent), agent).to.equal(WEB);
    }
  });

  it('leads to the page in browsers inside apps, whatever the fallback', async () => {
    for (const fallback of ['store', OTHER, null])
      for (const agent of [IPHONE, ANDROID]) {
        const location = locationOf(await follow(await make(fallback), agent + INSTAGRAM));
        const { status, body } = await openPage(location, agent + INSTAGRAM);
        expect(status).to.equal(200);
        expect(body).to.include('Links to apps do not open inside this app');
      }
  });

  it('leads prefetching browsers and HEAD to the web', async () => {
    const link = await make('store');
    expect(locationOf(await follow(link, IPHONE, '', { 'Sec-Purpose': 'prefetch' }))).to.equal(WEB);
    const head = await rawRequest(world().origin, `/${link.slug}`, {
      method: 'HEAD',
      host: GO,
      headers: { 'User-Agent': IPHONE },
    });
    expect(locationOf(head)).to.equal(WEB);
  });

  it('lets rules decide first: their destination is the fallback, and an app scheme is followed as it is', async () => {
    const rules = [
      { when: { query: [{ name: 'go' }] }, destination: 'myapp://home' },
      { when: { platform: ['android'] }, destination: 'https://android.example.com/' },
    ];
    const link = await make(null, { routing: { open_app: true, rules, ios: { fallback: 'store' } } });
    expect(masked(locationOf(await follow(link, ANDROID)))).to.equal(
      intent(link.slug, 'myapp', 'https://android.example.com/'),
    );
    expect(locationOf(await follow(link, IPHONE, '?go=1'))).to.equal('myapp://home?go=1');
  });

  it('carries a token that names the click, its project and its link, for 90 days', async () => {
    const link = await make('store');
    const before = Date.now();
    const token = tokenIn(locationOf(await follow(link, IPHONE)));
    const claims = readClickToken(token, Date.now());
    if (!claims.ok) throw new Error(claims.why);
    expect(token).to.match(/^[A-Za-z0-9_.-]{1,200}$/);
    expect(claims).to.include({ projectId: tenants().mine.projectId, linkId: link.id });
    expect(claims.expiresAt).to.be.within(before + 90 * 86_400_000 - 1000, Date.now() + 90 * 86_400_000);
    const clicks = await until(async () => (await clicksOf(link)).length > 0 && clicksOf(link), 'the click');
    expect(clicks).to.deep.equal([claims.clickId]);
  });

  it('counts who comes back with a token once, and does not lead to the app again', async () => {
    const { mine, plain } = tenants();
    const back: [string | null, Tenant, string, string][] = [
      ['store', mine, APPLE, `${PLAY}TOKEN`],
      [OTHER, mine, OTHER, OTHER],
      [null, mine, WEB, WEB],
      ['store', plain, WEB, `${PLAY}TOKEN`],
    ];
    for (const [fallback, tenant, onIos, onAndroid] of back) {
      const link = await make(fallback, {}, tenant);
      const token = tokenIn(locationOf(await follow(link, ANDROID)));
      const expected = [onIos, onIos, onAndroid, onAndroid, WEB];
      const agents = [IPHONE, IPHONE + INSTAGRAM, ANDROID, ANDROID + INSTAGRAM, WINDOWS];
      for (const [index, agent] of agents.entries()) {
        const location = locationOf(await follow(link, agent, `?svc_click=${token}`));
        expect(masked(location)).to.equal(expected[index]);
        if (location.includes('referrer')) expect(tokenIn(location)).to.equal(token);
      }
      // One more that counts comes after all of them.
      await follow(link, WINDOWS);
      const clicks = await until(async () => (await clicksOf(link)).length >= 2 && clicksOf(link), 'clicks');
      expect(clicks).to.have.length(2);
    }
  });

  it('ignores a token that is forged, old or of another link, and never hands one on', async () => {
    const [link, other] = [await make(null), await make(null)];
    const token = tokenIn(locationOf(await follow(link, ANDROID)));
    const claims = { clickId: newId('clk'), projectId: tenants().mine.projectId, linkId: link.id };
    const old = issueClickToken(claims, Date.now() - 91 * 86_400_000);
    const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    const web = `${WEB}&x=1`;
    for (const [target, worthless] of [
      [link, forged],
      [link, old],
      [link, ''],
      [link, 'x'],
      [other, token],
    ] as const) {
      const query = `?svc_click=${worthless}&x=1`;
      const location = masked(locationOf(await follow(target, ANDROID, query)));
      expect(location).to.equal(intent('p/42', 'myapp', web).replace('?svc_click', '?x=1&svc_click'));
    }
    for (const query of [`?x=1&svc_click=${token}`, `?svc%5Fclick=${token}&x=1`, `?x=1&svc_click=a&svc_click=b`])
      expect(locationOf(await follow(link, WINDOWS, query))).to.equal(web);
    const count = async () => (await clicksOf(link)).length + (await clicksOf(other)).length;
    await until(async () => (await count()) === 8, 'the clicks that count');
  });

  it('strips the parameter from links that open no apps too', async () => {
    const { body } = await world().api('POST', '/links', { destination: WEB });
    expect(locationOf(await follow(body, IPHONE, '?svc_click=1.2.3&x=1'))).to.equal(`${WEB}&x=1`);
    expect(locationOf(await follow(body, IPHONE, '?svc_click=1.2.3'))).to.equal(WEB);
  });

  it('lets a visitor who was counted within the click limit come back once', async () => {
    const link = await make('store', { click_limit: 1 });
    const location = locationOf(await follow(link, IPHONE));
    expect((await follow(link, IPHONE)).status).to.equal(410);
    const { status, body } = await openPage(location);
    expect(status).to.equal(200);
    expect(body).to.include(APPLE);
    const back = () => follow(link, IPHONE, `?svc_click=${tokenIn(location)}`);
    const answers = await Promise.all([back(), back(), back(), back()]);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([302, 410, 410, 410]);
    expect(answers.flatMap((answer) => (answer.status === 302 ? [locationOf(answer)] : []))).to.deep.equal([APPLE]);
    expect((await back()).status).to.equal(410);
  });

  it('lifts a click limit for nobody else: not later, not on a computer, not once an app has used the click', async () => {
    const link = await make('store', { click_limit: 2 });
    const token = tokenIn(locationOf(await follow(link, IPHONE)));
    const back = (agent: string, brought = token) => follow(link, agent, `?svc_click=${brought}`);
    const claims = { clickId: newId('clk'), projectId: tenants().mine.projectId, linkId: link.id };
    const issued = (minutesAgo: number) => issueClickToken(claims, Date.now() - minutesAgo * 60_000);
    // Within the limit it is the same visit on a phone, and another one on a computer.
    expect((await back(IPHONE)).status).to.equal(302);
    expect((await back(WINDOWS)).status).to.equal(302);
    const count = () => until(async () => (await clicksOf(link)).length, 'clicks');
    await until(async () => (await count()) === 2, 'the clicks within the limit');
    for (const agent of [IPHONE, WINDOWS]) expect((await follow(link, agent)).status).to.equal(410);
    expect((await back(WINDOWS)).status).to.equal(410);
    expect((await back(IPHONE, issued(61))).status).to.equal(410);
    expect((await back(AGENTS.bot)).status).to.equal(410);
    expect((await back(IPHONE, issued(58))).status).to.equal(302);
    expect((await back(ANDROID)).status).to.equal(302);
    // Who passes beyond the limit is counted.
    await until(async () => (await count()) === 4, 'the clicks beyond it');
    await inTransaction((transaction) =>
      useClicks([{ ...claims, installId: 'x', byToken: true, takenFrom: null }], transaction),
    );
    expect((await back(IPHONE, issued(5))).status).to.equal(410);
  });

  it('GET /links/{id}/trace tells whether the app is opened and why', async () => {
    const link = await make('store');
    const { mine, bare } = tenants();
    const trace = async (platform: string, { id }: MadeLink, tenant = mine) => {
      const { status, body } = await tenant.api('GET', `/links/${id}/trace?platform=${platform}`);
      expect(status, JSON.stringify(body)).to.equal(200);
      return { step: body.steps.at(-1), outcome: body.outcome };
    };
    const play = 'https://play.google.com/store/apps/details?id=com.example.app';
    expect(await trace('ios', link)).to.deep.equal({
      step: { rule: 'open_app', matched: true, why: 'A page leads to the App Store.' },
      outcome: { kind: 'app', destination: APPLE },
    });
    expect((await trace('android', link)).outcome).to.deep.equal({
      kind: 'app',
      destination: intent('p/42', 'myapp', play).replace('?svc_click=TOKEN', ''),
    });
    expect(await trace('windows', link)).to.deep.equal({
      step: { rule: 'open_app', matched: false, why: 'platform is windows, apps open on ios and android.' },
      outcome: { kind: 'redirect', destination: WEB },
    });
    const without = await make('store', {}, bare);
    expect((await trace('android', without, bare)).step.why).to.equal('The project has no Android app.');
    await mine.api('POST', `/links/${link.id}/archive`);
    expect(await trace('ios', link)).to.deep.equal({
      step: { rule: 'open_app', matched: false, why: 'Not checked: the link is not_found.' },
      outcome: { kind: 'not_found', destination: null },
    });
  });
});
