import { expect } from 'chai';
import { select } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/inTransaction.ts';
import { config } from '../../src/kernel/config.ts';
import { newId } from '../../src/kernel/ids.ts';
import { issueClickToken, readClickToken } from '../../src/matching/installationTokens.ts';
import { Link } from '../../src/models/Link.ts';
import { flagLink } from '../../src/services/links/flagLink.ts';
import { AGENTS } from '../support/agents.ts';
import { type RawReply, rawRequest } from '../support/rawRequest.ts';
import { renameTable } from '../support/storeFaults.ts';
import { firstTenant, makeTenant, type Tenant } from '../support/tenants.ts';
import { until } from '../support/until.ts';
import { startWorld, type World } from '../support/world.ts';

const GO = 'go.example.com';
const WEB = 'https://www.example.com/shoes?a=1&b=2';
const OTHER = 'https://other.example.com/get';
const APPLE = 'https://apps.apple.com/app/id123456789';
const PLAY = 'https://play.google.com/store/apps/details?id=com.example.app&referrer=svc_click%3D';

const IPHONE = AGENTS.human;
const ANDROID = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36';
const INSTAGRAM = ' Instagram 334.0.4.32.98';

const IOS_APP = {
  platform: 'ios',
  bundle_id: 'com.example.app',
  team_id: 'ABCDE12345',
  app_store_id: '123456789',
  scheme: 'myapp',
};
const ANDROID_APP = { platform: 'android', package: 'com.example.app', sha256_fingerprints: [], scheme: 'myapp' };

describe('links that open apps', () => {
  let world: World;
  let mine: Tenant;
  /** Without apps. */
  let bare: Tenant;
  /** Apps without a scheme and without a store. */
  let plain: Tenant;

  before(async () => {
    world = await startWorld({ LINK_DOMAIN: GO, SCANNER_BURST_LINKS: '0' });
    mine = await firstTenant(world);
    [bare, plain] = [await makeTenant(world), await makeTenant(world)];
    await setApps(mine, [IOS_APP, ANDROID_APP]);
    await setApps(plain, [
      { ...IOS_APP, app_store_id: null, scheme: null },
      { ...ANDROID_APP, scheme: null },
    ]);
  });
  after(() => world.stop());

  async function setApps(tenant: Tenant, apps: object[]) {
    const { status, body } = await tenant.api('PATCH', `/projects/${tenant.projectId}`, { apps });
    expect(status, JSON.stringify(body)).to.equal(200);
  }

  async function make(fallback: string | null, more: object = {}, tenant = mine): Promise<Link> {
    const app = { deep_link_path: '/p/42', fallback };
    const routing = { open_app: true, ios: app, android: app };
    const { status, body } = await tenant.api('POST', '/links', { destination: WEB, routing, ...more });
    expect(status, JSON.stringify(body)).to.equal(201);
    return body;
  }

  const follow = (link: Pick<Link, 'slug'>, agent: string, query = '', headers: Record<string, string> = {}) =>
    rawRequest(world.origin, `/${link.slug}${query}`, { host: GO, headers: { 'User-Agent': agent, ...headers } });

  const openPage = (location: string | undefined, agent = IPHONE, method = 'GET') => {
    expect(location?.startsWith(`${config.baseUrl}/_open?t=`), location).to.equal(true);
    return rawRequest(world.origin, String(location).slice(config.baseUrl.length), {
      method,
      headers: { 'User-Agent': agent },
    });
  };

  const locationOf = ({ status, headers }: RawReply) => {
    expect([status, headers['cache-control']]).to.deep.equal([302, 'private, no-store']);
    return headers.location as string;
  };
  const tokenIn = (text: string) => /1(?:\.[0-9a-z]{26}){3}\.[0-9a-z]+\.[A-Za-z0-9_-]{22}/.exec(text)?.[0] ?? 'none';
  const masked = (text: string) => text.replaceAll(tokenIn(text), 'TOKEN');
  const intent = (data: string, scheme: string, fallback: string) =>
    `intent://${data}?svc_click=TOKEN#Intent;scheme=${scheme};package=com.example.app;S.browser_fallback_url=${encodeURIComponent(fallback)};end`;
  const hrefsOf = ({ body }: RawReply) =>
    [...body.matchAll(/href="([^"]*)"/g)].map(([, href = '']) =>
      masked(href.replaceAll('&amp;', '&').replaceAll('&#39;', "'")),
    );

  const clicksOf = async ({ id }: Pick<Link, 'id'>) =>
    (await select<{ id: string }>('SELECT id FROM clicks WHERE link_id = :id', { id })).map((row) => row.id);

  it('leads people on phones to the app, its store or the fallback, by platform and fallback', async () => {
    const page = `${config.baseUrl}/_open?t=TOKEN`;
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
    const head = await rawRequest(world.origin, `/${link.slug}`, {
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
    expect(claims).to.include({ projectId: mine.projectId, linkId: link.id });
    expect(claims.expiresAt).to.be.within(before + 90 * 86_400_000 - 1000, Date.now() + 90 * 86_400_000);
    const clicks = await until(async () => (await clicksOf(link)).length > 0 && clicksOf(link), 'the click');
    expect(clicks).to.deep.equal([claims.clickId]);
  });

  it('counts who comes back with a token once, and does not lead to the app again', async () => {
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
    const claims = { clickId: newId('clk'), projectId: mine.projectId, linkId: link.id };
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
      expect(location).to.equal(intent('p/42', 'myapp', web));
    }
    for (const query of [`?x=1&svc_click=${token}`, `?svc%5Fclick=${token}&x=1`, `?x=1&svc_click=a&svc_click=b`])
      expect(locationOf(await follow(link, WINDOWS, query))).to.equal(web);
    const count = async () => (await clicksOf(link)).length + (await clicksOf(other)).length;
    await until(async () => (await count()) === 8, 'the clicks that count');
  });

  it('strips the parameter from links that open no apps too', async () => {
    const { body } = await mine.api('POST', '/links', { destination: WEB });
    expect(locationOf(await follow(body, IPHONE, '?svc_click=1.2.3&x=1'))).to.equal(`${WEB}&x=1`);
    expect(locationOf(await follow(body, IPHONE, '?svc_click=1.2.3'))).to.equal(WEB);
  });

  it('lets who was counted within the click limit come back', async () => {
    const link = await make('store', { click_limit: 1 });
    const location = locationOf(await follow(link, IPHONE));
    expect((await follow(link, IPHONE)).status).to.equal(410);
    const { status, body } = await openPage(location);
    expect(status).to.equal(200);
    expect(body).to.include(APPLE);
    expect(locationOf(await follow(link, IPHONE, `?svc_click=${tokenIn(location)}`))).to.equal(APPLE);
  });

  describe('the page', () => {
    it('offers the App Store with the link to copy, the app and the web on iOS', async () => {
      const link = await make('store');
      const reply = await openPage(locationOf(await follow(link, IPHONE)));
      const universal = `http://${GO}/${link.slug}?svc_click=TOKEN`;
      expect(reply.status).to.equal(200);
      expect(hrefsOf(reply)).to.deep.equal([APPLE, universal, WEB]);
      expect(masked(/data-copy="([^"]*)"/.exec(reply.body)?.[1] ?? '')).to.equal(universal);
    });

    it('offers the app by intent, Google Play with the referrer and the web on Android', async () => {
      const link = await make('store');
      const reply = await openPage(locationOf(await follow(link, ANDROID + INSTAGRAM)), ANDROID + INSTAGRAM);
      expect(hrefsOf(reply)).to.deep.equal([intent('p/42', 'myapp', `${PLAY}TOKEN`), `${PLAY}TOKEN`, WEB]);
      expect(reply.body).not.to.include('data-copy=');
    });

    it('puts a fallback URL in the place of store and web, and leaves out what an app lacks', async () => {
      const open = async (fallback: string | null, tenant: Tenant, agent: string) => {
        const link = await make(fallback, {}, tenant);
        const reply = await openPage(locationOf(await follow(link, agent + INSTAGRAM)), agent);
        return hrefsOf(reply).map((href) => href.replace(link.slug, 'SLUG'));
      };
      const universal = `http://${GO}/SLUG?svc_click=TOKEN`;
      expect(await open(OTHER, mine, IPHONE)).to.deep.equal([universal, OTHER]);
      expect(await open(OTHER, mine, ANDROID)).to.deep.equal([intent('p/42', 'myapp', OTHER), OTHER]);
      expect(await open('store', plain, IPHONE)).to.deep.equal([universal, WEB]);
    });

    it('offers other visitors every store', async () => {
      const link = await make('store');
      const reply = await openPage(locationOf(await follow(link, IPHONE)), WINDOWS);
      expect(hrefsOf(reply)).to.deep.equal([APPLE, `${PLAY}TOKEN`, WEB]);
    });

    it('runs a script of ours alone, loads nothing else, is not framed, kept or referred to', async () => {
      const reply = await openPage(locationOf(await follow(await make('store'), IPHONE)));
      const policy = (reply.headers['content-security-policy'] ?? '').split('; ');
      expect(policy).to.include.members([
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ]);
      expect(reply.headers).to.include({
        'cache-control': 'private, no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
        'content-type': 'text/html; charset=utf-8',
      });
      const scripts = [...reply.body.matchAll(/<script[^>]*>(.*?)<\/script>/gs)];
      expect(scripts.map(([, inline]) => inline)).to.deep.equal(['']);
      expect(reply.body).not.to.match(/\son\w+=|javascript:/i);
      const source = /src="([^"]*)"/.exec(scripts[0]?.[0] ?? '')?.[1] ?? '';
      expect(source).to.match(/^\/_open\/app\.js\?v=[0-9a-f]{16}$/);
      const script = await rawRequest(world.origin, source);
      expect(script.status).to.equal(200);
      expect(script.headers).to.include({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      expect((await rawRequest(world.origin, '/_open/app.js?v=old')).headers['cache-control']).to.equal('no-cache');
    });

    it('takes nothing but the token from its address, and counts nothing', async () => {
      const link = await make('store');
      const location = locationOf(await follow(link, IPHONE));
      const plainly = await openPage(location);
      const more = '&url=https://evil.example/&destination=x&app_store_id=9&slug=%3Cscript%3E&t=second#evil';
      expect((await openPage(location + more)).body).to.equal(plainly.body);
      expect((await openPage(location, IPHONE, 'HEAD')).status).to.equal(200);
      await follow(link, WINDOWS);
      await until(async () => (await clicksOf(link)).length === 2, 'two clicks');
    });

    it('escapes what owners wrote', async () => {
      const destination = `https://www.example.com/?q="><script>alert('1')</script>&amp;`;
      const link = await make('store', { destination });
      const { body } = await openPage(locationOf(await follow(link, IPHONE)));
      expect(body.match(/<script/g)).to.have.length(1);
    });

    it('speaks the language of the visitor', async () => {
      const location = locationOf(await follow(await make('store'), IPHONE));
      const { body, headers } = await rawRequest(world.origin, location.slice(config.baseUrl.length), {
        headers: { 'User-Agent': IPHONE, 'Accept-Language': 'de-AT' },
      });
      expect(headers['content-language']).to.equal('de');
      expect(body).to.include('Im Browser fortfahren');
    });

    it('404 without a valid token, and for a link that is gone, flagged or archived; 410 when it is over', async () => {
      const [gone, flagged, archived, over] = [
        await make('store'),
        await make('store'),
        await make('store'),
        await make('store'),
      ];
      const pages = [];
      for (const link of [gone, flagged, archived, over]) pages.push(locationOf(await follow(link, IPHONE)));
      await mine.api('DELETE', `/links/${gone.id}`);
      await flagLink(flagged.id, 'malware');
      await mine.api('POST', `/links/${archived.id}/archive`);
      await mine.api('PATCH', `/links/${over.id}`, { expires_at: '2020-01-01T00:00:00.000Z' });
      const statuses = [];
      for (const page of pages) statuses.push((await openPage(page)).status);
      expect(statuses).to.deep.equal([404, 404, 404, 410]);
      const link = await make('store');
      const claims = { clickId: newId('clk'), projectId: mine.projectId, linkId: link.id };
      const worthless = [
        '',
        'x',
        `${issueClickToken(claims, Date.now())}x`,
        issueClickToken(claims, Date.now() - 91 * 86_400_000),
        issueClickToken({ ...claims, projectId: bare.projectId }, Date.now()),
      ];
      for (const token of worthless) {
        const reply = await openPage(`${config.baseUrl}/_open?t=${token}`);
        expect(reply.status, token).to.equal(404);
        expect(reply.headers['content-type']).to.equal('text/html; charset=utf-8');
      }
      for (const path of ['/_open', '/_open/', '/_open/x'])
        expect((await rawRequest(world.origin, path)).status).to.equal(404);
      expect((await openPage(`${config.baseUrl}/_open?t=${issueClickToken(claims, Date.now())}`)).status).to.equal(200);
    });

    it('405 for other methods, and is a slug like any other on a link domain', async () => {
      const reply = await rawRequest(world.origin, '/_open?t=x', { method: 'POST' });
      expect([reply.status, reply.headers.allow]).to.deep.equal([405, 'GET, HEAD']);
      expect((await rawRequest(world.origin, '/_open', { host: GO })).status).to.equal(404);
      await make(null, { slug: '_open' });
      expect((await follow({ slug: '_open' }, WINDOWS)).status).to.equal(302);
    });

    it('503 while the store is down', async () => {
      const location = locationOf(await follow(await make('store'), IPHONE));
      await renameTable('links', 'links_away');
      const { status, headers } = await openPage(location);
      await renameTable('links_away', 'links');
      expect([status, headers['retry-after']]).to.deep.equal([503, '5']);
      expect((await openPage(location)).status).to.equal(200);
    });

    it('stands for the password as long as a link remembers it', async () => {
      const link = await make('store');
      await inTransaction((transaction) => Link.update({ passwordHash: 'x' }, { where: { id: link.id }, transaction }));
      const claims = { clickId: newId('clk'), projectId: mine.projectId, linkId: link.id };
      const at = (clickedAt: number) => openPage(`${config.baseUrl}/_open?t=${issueClickToken(claims, clickedAt)}`);
      const limitMs = config.passwordSessionSeconds * 1000;
      expect((await at(Date.now() - limitMs + 60_000)).status).to.equal(200);
      expect(locationOf(await at(Date.now() - limitMs - 60_000))).to.equal(`http://${GO}/${link.slug}`);
    });
  });

  it('GET /links/{id}/trace tells whether the app is opened and why', async () => {
    const link = await make('store');
    const trace = async (platform: string, { id }: Link, tenant = mine) => {
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
      step: { rule: 'open_app', matched: false, why: 'Not asked: the link is not_found.' },
      outcome: { kind: 'not_found', destination: null },
    });
  });
});
