// stores: any
import { expect } from 'chai';
import { OWN_PATHS } from '../../../src/kernel/origins.ts';
import { startAppServer } from '../../support/appServer.ts';
import { useWorld } from '../../support/world.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

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

  it('/ leads browsers to the dashboard', async () => {
    const server = await startAppServer({ [OWN_PATHS.dashboard]: [] });
    try {
      const answer = await open('/', BROWSER, server.origin);
      expect([answer.status, answer.headers.get('location')]).to.deep.equal([302, '/app']);
      expect(answer.headers.get('vary')).to.equal('Accept');
    } finally {
      await server.stop();
    }
  });

  it('/ is the page with links where no dashboard is built', async () => {
    const server = await startAppServer({});
    try {
      await expectPageOfLinks('/', server.origin);
    } finally {
      await server.stop();
    }
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
