// stores: any
import { expect } from 'chai';
import { issueClickToken } from '../../../src/attribution/clickTokens.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { config } from '../../../src/kernel/config.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { flagLink } from '../../../src/links/flagService.ts';
import { Link } from '../../../src/models/Link.ts';
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
  useAppLinks,
  WEB,
  WINDOWS,
} from '../../support/appLinks.ts';
import { type RawReply, rawRequest } from '../../support/rawRequest.ts';
import { renameTable } from '../../support/storeFaults.ts';
import type { Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';

/** Where the page's links lead, in their order; masked. */
function hrefsOf({ body }: RawReply): string[] {
  const hrefs = [...body.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
  return hrefs.map((href) => masked(href.replaceAll('&amp;', '&').replaceAll('&#39;', "'")));
}

describe('the page that leads into an app', () => {
  const { world, tenants, make, follow, openPage } = useAppLinks();

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

  it('replaces store and web by a fallback URL, and leaves out what an app lacks', async () => {
    const open = async (fallback: string | null, tenant: Tenant, agent: string) => {
      const link = await make(fallback, {}, tenant);
      const reply = await openPage(locationOf(await follow(link, agent + INSTAGRAM)), agent);
      return hrefsOf(reply).map((href) => href.replace(link.slug, 'SLUG'));
    };
    const universal = `http://${GO}/SLUG?svc_click=TOKEN`;
    const { mine, plain } = tenants();
    expect(await open(OTHER, mine, IPHONE)).to.deep.equal([universal, OTHER]);
    expect(await open(OTHER, mine, ANDROID)).to.deep.equal([intent('p/42', 'myapp', OTHER), OTHER]);
    // On the domain of all teams iOS opens no app of theirs.
    expect(await open('store', plain, IPHONE)).to.deep.equal([WEB]);
    config.sharedDomainApps = 'all';
    expect(await open('store', plain, IPHONE)).to.deep.equal([universal, WEB]);
    config.sharedDomainApps = 'first';
  });

  it('marks the links that may lead to a store, for the report of its script', async () => {
    const marked = async (fallback: string | null, agent: string) => {
      const reply = await openPage(locationOf(await follow(await make(fallback), agent + INSTAGRAM)), agent);
      return [...reply.body.matchAll(/<a [^>]*>/g)].map(([link]) => link.includes(' data-store'));
    };
    expect(await marked('store', IPHONE)).to.deep.equal([true, false, false]);
    expect(await marked(OTHER, IPHONE)).to.deep.equal([false, false]);
    expect(await marked('store', ANDROID)).to.deep.equal([true, true, false]);
    // The intent of the first way falls back to the web.
    expect(await marked(null, ANDROID)).to.deep.equal([false, true, false]);
    expect(await marked(OTHER, ANDROID)).to.deep.equal([false, false]);
  });

  it('offers other visitors every store', async () => {
    const link = await make('store');
    const reply = await openPage(locationOf(await follow(link, IPHONE)), WINDOWS);
    expect(hrefsOf(reply)).to.deep.equal([APPLE, `${PLAY}TOKEN`, WEB]);
  });

  it('runs only our script, loads nothing else, and is not framed, cached or sent as a referrer', async () => {
    const reply = await openPage(locationOf(await follow(await make('store'), IPHONE)));
    const policy = (reply.headers['content-security-policy'] ?? '').split('; ');
    expect(policy).to.include.members([
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
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
    const script = await rawRequest(world().origin, source);
    expect(script.status).to.equal(200);
    expect(script.headers).to.include({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect((await rawRequest(world().origin, '/_open/app.js?v=old')).headers['cache-control']).to.equal('no-cache');
  });

  it('takes only the token from its address, and counts nothing', async () => {
    const link = await make('store');
    const location = locationOf(await follow(link, IPHONE));
    const plainly = await openPage(location);
    const more = '&url=https://evil.example/&destination=x&app_store_id=9&slug=%3Cscript%3E&t=second#evil';
    expect((await openPage(location + more)).body).to.equal(plainly.body);
    expect((await openPage(location, IPHONE, 'HEAD')).status).to.equal(200);
    await follow(link, WINDOWS);
    await until(async () => (await clicksOf(link)).length === 2, 'two clicks');
  });

  it('hands what the visitor brought to the app, its store and the web, and takes it from nobody else', async () => {
    const routing = (fallback: string | null, more: object = {}) => {
      const app = { deep_link_path: '/p/42', fallback };
      return { routing: { open_app: true, forward_path: true, ios: app, android: app, ...more } };
    };
    const opened = async (options: object, agent: string, query = '/more?a=9&ref=userA') => {
      const location = locationOf(await follow(await make(null, options), agent, query));
      return { location, hrefs: hrefsOf(await openPage(location, agent)) };
    };
    const web = 'https://www.example.com/shoes/more?a=1&b=2&ref=userA';
    const { location, hrefs } = await opened({ slug: 'carry', ...routing('store') }, IPHONE);
    expect(hrefs).to.deep.equal([APPLE, `http://${GO}/carry/more?a=9&ref=userA&svc_click=TOKEN`, web]);
    for (const forged of [location.replace('&b=', '&b=A'), `${location.split('&b=')[0]}&b=WyJ4PTEiLCIiXQ.AAAA`])
      expect(hrefsOf(await openPage(forged))).to.deep.equal([APPLE, `http://${GO}/carry?svc_click=TOKEN`, WEB]);

    const play = `${PLAY}TOKEN${encodeURIComponent('&a=9&ref=userA')}`;
    const inApp = intent('p/42/more', 'myapp', play).replace('?svc_click', '?a=9&ref=userA&svc_click');
    expect((await opened(routing('store'), ANDROID + INSTAGRAM)).hrefs).to.deep.equal([inApp, play, web]);
    const other = `${OTHER}/more?a=9&ref=userA`;
    expect((await opened(routing(OTHER), IPHONE + INSTAGRAM)).hrefs[1]).to.equal(other);

    const rules = [{ when: { query: [{ name: 'ref', value: 'userA' }] }, destination: 'https://rule.example/' }];
    const kept = routing('store', { rules, forward_query: false, forward_path: false });
    const plain = await opened({ slug: 'keep', ...kept }, IPHONE, '?ref=userA');
    expect(plain.hrefs).to.deep.equal([APPLE, `http://${GO}/keep?svc_click=TOKEN`, 'https://rule.example/']);
    expect((await opened({ slug: 'drop', ...routing('store', { forward_query: false }) }, IPHONE)).hrefs[1]).to.equal(
      `http://${GO}/drop/more?svc_click=TOKEN`,
    );
  });

  it('escapes texts of owners', async () => {
    const destination = `https://www.example.com/?q="><script>alert('1')</script>&amp;`;
    const link = await make('store', { destination });
    const { body } = await openPage(locationOf(await follow(link, IPHONE)));
    expect(body.match(/<script/g)).to.have.length(1);
  });

  it('speaks the language of the visitor', async () => {
    const location = locationOf(await follow(await make('store'), IPHONE));
    const { body, headers } = await rawRequest(world().origin, location.slice(config.baseUrl.length), {
      headers: { 'User-Agent': IPHONE, 'Accept-Language': 'de-AT' },
    });
    expect(headers['content-language']).to.equal('de');
    expect(body).to.include('Im Browser fortfahren');
  });

  it('404 without a valid token, and for a deleted, flagged or archived link; 410 for an expired one', async () => {
    const [gone, flagged, archived, over] = [
      await make('store'),
      await make('store'),
      await make('store'),
      await make('store'),
    ];
    const pages = [];
    for (const link of [gone, flagged, archived, over]) pages.push(locationOf(await follow(link, IPHONE)));
    await world().api('DELETE', `/links/${gone.id}`);
    await flagLink(flagged.id, 'malware');
    await world().api('POST', `/links/${archived.id}/archive`);
    await world().api('PATCH', `/links/${over.id}`, { expires_at: '2020-01-01T00:00:00.000Z' });
    const statuses = [];
    for (const page of pages) statuses.push((await openPage(page)).status);
    expect(statuses).to.deep.equal([404, 404, 404, 410]);
    const link = await make('store');
    const claims = { clickId: newId('clk'), projectId: tenants().mine.projectId, linkId: link.id };
    const worthless = [
      '',
      'x',
      `${issueClickToken(claims, Date.now())}x`,
      issueClickToken(claims, Date.now() - 91 * 86_400_000),
      issueClickToken({ ...claims, projectId: tenants().bare.projectId }, Date.now()),
    ];
    for (const token of worthless) {
      const reply = await openPage(`${config.baseUrl}/_open?t=${token}`);
      expect(reply.status, token).to.equal(404);
      expect(reply.headers['content-type']).to.equal('text/html; charset=utf-8');
    }
    for (const path of ['/_open', '/_open/', '/_open/x'])
      expect((await rawRequest(world().origin, path)).status).to.equal(404);
    expect((await openPage(`${config.baseUrl}/_open?t=${issueClickToken(claims, Date.now())}`)).status).to.equal(200);
  });

  it('405 for other methods, and is a slug like any other on a link domain', async () => {
    const reply = await rawRequest(world().origin, '/_open?t=x', { method: 'POST' });
    expect([reply.status, reply.headers.allow]).to.deep.equal([405, 'GET, HEAD']);
    expect((await rawRequest(world().origin, '/_open', { host: GO })).status).to.equal(404);
    const { id } = await make(null, { slug: '_open' });
    expect((await follow({ slug: '_open' }, WINDOWS)).status).to.equal(302);
    await world().api('DELETE', `/links/${id}`);
  });

  it('503 while the store is down', async () => {
    const location = locationOf(await follow(await make('store'), IPHONE));
    await renameTable('links', 'links_away');
    const { status, headers } = await openPage(location);
    await renameTable('links_away', 'links');
    expect([status, headers['retry-after']]).to.deep.equal([503, '5']);
    expect((await openPage(location)).status).to.equal(200);
  });

  it('proves the password for as long as the cookie of a link does', async () => {
    const link = await make('store');
    await inTransaction((transaction) => Link.update({ passwordHash: 'x' }, { where: { id: link.id }, transaction }));
    const ids = { clickId: newId('clk'), projectId: tenants().mine.projectId, linkId: link.id };
    const at = (clickedAt: number, claims: typeof ids & { passwordHash?: string } = { ...ids, passwordHash: 'x' }) =>
      openPage(`${config.baseUrl}/_open?t=${issueClickToken(claims, clickedAt)}`);
    const limitMs = config.passwordSessionSeconds * 1000;
    expect((await at(Date.now() - limitMs + 60_000)).status).to.equal(200);
    const toForm = `http://${GO}/${link.slug}`;
    expect(locationOf(await at(Date.now() - limitMs - 60_000))).to.equal(toForm);
    // Before the link got a password, and before it got another one.
    for (const claims of [ids, { ...ids, passwordHash: 'y' }])
      expect(locationOf(await at(Date.now(), claims))).to.equal(toForm);
  });

  it('hides where a link with a password leads: the choice for the web is the link itself', async () => {
    const platforms = [IPHONE, ANDROID, WINDOWS];
    for (const fallback of [null, 'store', OTHER]) {
      const link = await make(fallback);
      const shown = async (passwordHash: string | null) => {
        const claims = { clickId: newId('clk'), projectId: tenants().mine.projectId, linkId: link.id, passwordHash };
        const token = issueClickToken(claims, Date.now());
        const pages = await Promise.all(
          platforms.map((agent) => openPage(`${config.baseUrl}/_open?t=${token}`, agent)),
        );
        const web = `http://${GO}/${link.slug}?svc_click=${token}`;
        return { text: pages.map(({ body }) => body.replaceAll('%2F', '/').replaceAll('%3A', ':')).join(''), web };
      };
      expect((await shown(null)).text).to.include('www.example.com/shoes');
      await inTransaction((transaction) => Link.update({ passwordHash: 'x' }, { where: { id: link.id }, transaction }));
      const { text, web } = await shown('x');
      expect(text).to.not.match(/www\.example\.com|other\.example\.com/);
      expect(text).to.include(web);
      if (fallback !== OTHER) expect(text).to.include(APPLE);
    }
  });
});
