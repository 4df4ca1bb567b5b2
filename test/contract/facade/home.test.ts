// stores: any
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Config } from '../../../src/kernel/config.ts';
import { OWN_PATHS } from '../../../src/kernel/origins.ts';
import { startAppServer } from '../../support/appServer.ts';
import { useSettings, useWorld } from '../../support/world.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** By SIGN_UP, whether a client on this machine may create an account. */
const SIGN_UP: Record<Config['signUp'], boolean> = { open: true, auto: true, invitation: false, closed: false };

describe('the bare address', () => {
  const world = useWorld();

  const open = (path: string, accept: string, origin = world.origin) =>
    fetch(`${origin}${path}`, { headers: { Accept: accept }, redirect: 'manual' });

  async function expectPageOfLinks(path: string, origin: string) {
    const page = await open(path, BROWSER, origin);
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).to.match(/^default-src 'none'/);
    const links = [...(await page.text()).matchAll(/href="([^"]+)"/g)].map(([, href]) => String(href));
    expect(links).to.include('/api/v1/openapi.json');
    for (const link of links) expect((await open(link, 'text/html')).status, link).to.equal(200);
  }

  it('/api/v1 is a page with links for browsers, all of which lead somewhere', () =>
    expectPageOfLinks('/api/v1', world.origin));

  describe('/', () => {
    let server: Awaited<ReturnType<typeof startAppServer>>;
    let bare: typeof server;
    before(async () => {
      server = await startAppServer({ [OWN_PATHS.dashboard]: [] });
      bare = await startAppServer({});
    });
    after(() => Promise.all([server.stop(), bare.stop()]));

    const home = (headers: Record<string, string> = {}, { origin = server.origin, method = 'GET' } = {}) =>
      fetch(`${origin}/`, { method, headers: { Accept: BROWSER, ...headers }, redirect: 'manual' });
    const hrefs = (markup: string) => [...markup.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);

    it('leads people with a session to the dashboard', async () => {
      const answer = await home({ Cookie: 'session=any' });
      expect([answer.status, answer.headers.get('location')]).to.deep.equal([302, '/app']);
      expect(answer.headers.get('vary')).to.equal('Accept, Cookie, Accept-Language');
    });

    it('says to everybody else what this is, and lets nothing be stored, indexed or run', async () => {
      const answer = await home();
      expect(answer.status).to.equal(200);
      const headers = ['content-type', 'cache-control', 'vary', 'x-robots-tag', 'content-language'];
      expect(headers.map((name) => answer.headers.get(name))).to.deep.equal([
        ...['text/html; charset=utf-8', 'no-store', 'Accept, Cookie, Accept-Language', 'noindex', 'en'],
      ]);
      const markup = await answer.text();
      const [, style = ''] = /<style>(.*)<\/style>/s.exec(markup) ?? [];
      const source = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
      expect(answer.headers.get('content-security-policy')).to.equal(
        `default-src 'none'; style-src ${source}; base-uri 'none'; frame-ancestors 'none'; form-action 'none'`,
      );
      expect([markup.match(/<h1>/g), markup.match(/<main>/g)].map((found) => found?.length)).to.deep.equal([1, 1]);
      expect(markup).not.to.match(/<script| style=|undefined|\[object/);
      const head = await home({}, { method: 'HEAD' });
      expect([head.status, await head.text()]).to.deep.equal([200, '']);
      expect(head.headers.get('content-length')).to.equal(String(Buffer.byteLength(markup)));
    });

    it('speaks the language of the browser, whatever it sends', async () => {
      const expected = { de: 'de', 'fr-CA, en;q=0.5': 'fr', es: 'es', 'ja-JP': 'ja', pt: 'en', '"><script>': 'en' };
      for (const [asked, language] of Object.entries(expected)) {
        const answer = await home({ 'Accept-Language': asked });
        expect(answer.headers.get('content-language'), asked).to.equal(language);
        expect(await answer.text(), asked)
          .to.contain(`<html lang="${language}">`)
          .and.not.to.contain('<script');
      }
      expect((await home({ 'Accept-Language': 'a,'.repeat(5000) })).status).to.equal(200);
    });

    for (const [signUp, isOffered] of Object.entries(SIGN_UP) as [Config['signUp'], boolean][]) {
      describe(`with SIGN_UP=${signUp}`, () => {
        useSettings({ signUp });
        it(`${isOffered ? 'offers' : 'does not offer'} an account`, async () => {
          const links = hrefs(await (await home()).text());
          const offered = isOffered ? ['/app/sign-up'] : [];
          expect(links).to.deep.equal(['/app/sign-in', ...offered, '/api/v1/openapi.json']);
        });
      });
    }

    it('works without a dashboard, and then links to no sign-in', async () => {
      const answer = await home({ Cookie: 'session=any' }, { origin: bare.origin });
      expect([answer.status, hrefs(await answer.text())]).to.deep.equal([200, ['/api/v1/openapi.json']]);
    });

    it('links to the reference once there is one', async () => {
      const later = await startAppServer({ [OWN_PATHS.reference]: [] });
      try {
        expect(hrefs(await (await home({}, { origin: later.origin })).text())).to.deep.equal(['/reference']);
      } finally {
        await later.stop();
      }
    });
  });

  for (const path of ['/', '/api/v1']) {
    it(`${path} is nothing for API clients, which get JSON`, async () => {
      for (const accept of ['*/*', 'application/json']) {
        const answer = await open(path, accept);
        expect([answer.status, answer.headers.get('vary')]).to.deep.equal([404, 'Accept']);
        expect(((await answer.json()) as { error: { code: string } }).error.code).to.equal('not_found');
      }
    });
  }
});
