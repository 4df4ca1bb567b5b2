// stores: any
import { expect } from 'chai';
import { useWorld } from '../../support/world.ts';

describe('the bare address', () => {
  const world = useWorld();

  const open = (path: string, accept: string) => fetch(`${world.origin}${path}`, { headers: { Accept: accept } });

  for (const path of ['/', '/api/v1']) {
    it(`${path} is a page with links for browsers, all of which lead somewhere`, async () => {
      const page = await open(path, 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8');
      expect([page.status, page.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
      expect(page.headers.get('content-security-policy')).to.match(/^default-src 'none'/);
      const links = [...(await page.text()).matchAll(/href="([^"]+)"/g)].map(([, href]) => String(href));
      expect(links).to.include('/api/v1/openapi.json');
      for (const link of links) expect((await open(link, 'text/html')).status, link).to.equal(200);
    });

    it(`${path} is nothing for API clients, which get JSON`, async () => {
      for (const accept of ['*/*', 'application/json']) {
        const answer = await open(path, accept);
        expect([answer.status, answer.headers.get('vary')]).to.deep.equal([404, 'Accept']);
        expect(((await answer.json()) as { error: { code: string } }).error.code).to.equal('not_found');
      }
    });
  }
});
