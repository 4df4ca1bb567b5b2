// stores: any
import { expect } from 'chai';
import { ERROR_STATUS } from '../../../src/kernel/errors.ts';
import { fetcher, pagesOf, useManifest } from '../../support/documentation.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import { useWorld } from '../../support/world.ts';

const PAGE = 'text/html,application/xhtml+xml,*/*;q=0.8';

/** The anchors of a page. */
const idsOf = (markup: string) => new Set([...markup.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string));

async function codeOf(answer: Response): Promise<string> {
  const { error } = (await answer.json()) as { error: { code: string } };
  return error.code;
}

describe('the reference', () => {
  const world = useWorld();
  const manifest = useManifest();
  const read = fetcher(world);
  let paths: string[];

  before(async () => {
    paths = await pagesOf(world);
  });

  it('is public, cached and compressed, and known by its tag', async () => {
    for (const path of [...paths, '/llms.txt', '/llms-full.txt', '/reference/links.md', '/docs/mcp.md']) {
      const answer = await fetch(world.origin + path, { headers: { Accept: PAGE, 'Accept-Encoding': 'br' } });
      expect(answer.status, path).to.equal(200);
      expect(answer.headers.get('cache-control'), path).to.equal('public, max-age=300');
      expect(answer.headers.get('content-encoding'), path).to.equal('br');
      expect(answer.headers.get('vary'), path).to.include('Accept-Encoding');
      const tag = answer.headers.get('etag') ?? '';
      const again = await fetch(world.origin + path, { headers: { Accept: PAGE, 'If-None-Match': tag } });
      expect([again.status, await again.text()], path).to.deep.equal([304, '']);
      const head = await fetch(world.origin + path, { method: 'HEAD', headers: { Accept: PAGE } });
      expect([head.status, head.headers.get('etag')], path).to.deep.equal([200, tag]);
    }
    const refused = await fetch(`${world.origin}/reference`, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
  });

  it('answers Markdown to those who ask for it, and says where it is', async () => {
    for (const path of paths) {
      const page = await read(path, PAGE);
      expect(page.type, path).to.equal('text/html; charset=utf-8');
      const [, alternate = ''] = /<link rel="alternate" type="text\/markdown" href="([^"]+)">/.exec(page.text) ?? [];
      const [asked, linked] = [await read(path, 'text/markdown'), await read(alternate)];
      expect(asked.type, path).to.equal('text/markdown; charset=utf-8');
      expect(asked.text, path).to.equal(linked.text);
    }
  });

  it('runs and loads nothing but its own files', async () => {
    for (const path of paths) {
      const answer = await fetch(world.origin + path, { headers: { Accept: PAGE } });
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy, path).to.match(/^default-src 'none'; /);
      expect(policy, path).to.not.include('unsafe');
      const markup = await answer.text();
      expect(markup, path).to.not.match(/ style="|<style|<script(?! src="\/reference\/reference\.js\?v=)| on\w+="/);
      const files = [...markup.matchAll(/(?:src|href)="(\/reference\/reference\.\w+)\?v=/g)].map(([, file]) =>
        String(file),
      );
      expect(files).to.have.length(2);
      for (const file of files) expect((await read(file)).status, file).to.equal(200);
    }
    expect((await read('/reference/reference.js')).text.length).to.be.at.most(5 * 1024);
    const index = await read('/reference/search.json');
    expect(index.text.length).to.be.at.most(15 * 1024);
  });

  it('has links and anchors that all lead somewhere', async () => {
    const broken: string[] = [];
    for (const path of paths) {
      const { text } = await read(path, PAGE);
      for (const [, href = ''] of text.matchAll(/ href="([^"]+)"/g)) {
        if (!/^[/#]/.test(href) || href.startsWith('/app')) continue;
        const [target, anchor] = href.split('#');
        const page = target ? await read(target.replaceAll('&amp;', '&'), PAGE) : { status: 200, text };
        if (page.status !== 200 || (anchor && !idsOf(page.text).has(decodeURIComponent(anchor))))
          broken.push(`${path}: ${href}`);
      }
    }
    const entries: [string, string, string][] = JSON.parse((await read('/reference/search.json')).text);
    for (const [name, , address] of entries) {
      const [page = '', anchor] = address.split('#');
      const found = await read(page, PAGE);
      if (found.status !== 200 || (anchor && !idsOf(found.text).has(anchor))) broken.push(`search ${name}: ${address}`);
    }
    expect(broken).to.deep.equal([]);
  });

  it('has each anchor once', async () => {
    for (const path of paths) {
      const ids = [...(await read(path, PAGE)).text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(
        ids.filter((id, at) => ids.indexOf(id) !== at),
        path,
      ).to.deep.equal([]);
    }
  });

  it('has an anchor with advice for each error code, to which errors lead', async () => {
    const { text } = await read('/reference', PAGE);
    const ids = idsOf(text);
    for (const code of Object.keys(ERROR_STATUS)) {
      expect(ids.has(`error-${code}`), code).to.equal(true);
      expect(manifest.advice[code], code).to.match(/^.{20,}\.$/);
    }
    const { error } = (await world.api.as(null)('GET', '/links')).body;
    const url = new URL(error.doc_url);
    expect([url.pathname, url.hash]).to.deep.equal(['/reference', '#error-missing_key']);
  });

  it('has every operation, scope and event, and leads to operations by their names', async () => {
    const all = (await Promise.all(paths.map((path) => read(path, PAGE)))).map(({ text }) => text);
    const whole = all.join('\n');
    for (const { id, tag, path } of manifest.operations) {
      const { text } = await read(`/reference/${tag.toLowerCase()}`, PAGE);
      expect(idsOf(text).has(id), id).to.equal(true);
      expect(text, id).to.include(` ${path}</code>`);
      const named = await fetch(`${world.origin}/reference/${id}`, { redirect: 'manual' });
      expect(named.headers.get('location'), id).to.equal(`/reference/${tag.toLowerCase()}#${id}`);
    }
    for (const scope of manifest.scopes) expect(whole, scope).to.include(`<code>${scope}</code>`);
    const webhooks = idsOf((await read('/reference/webhooks', PAGE)).text);
    for (const { type } of manifest.events) expect(webhooks.has(`event-${type}`), type).to.equal(true);
  });

  it('is at most 60 KB a page', async () => {
    for (const path of paths) {
      const reply = await rawRequest(world.origin, path, { headers: { 'Accept-Encoding': 'br', Accept: PAGE } });
      expect(Number(reply.headers['content-length']), path).to.be.within(1, 60 * 1024);
    }
  });

  it('is on the host of the API alone', async () => {
    const domain = (await world.api('POST', '/domains', { hostname: 'words.localhost' })).body;
    await world.api('POST', `/domains/${domain.id}/verify`);
    const { port } = new URL(world.origin);
    for (const path of ['/reference', '/reference/links.md', '/llms.txt', '/llms-full.txt', '/docs/mcp.md']) {
      const { status } = await rawRequest(world.origin, path, { host: `words.localhost:${port}` });
      expect(status, path).to.equal(404);
    }
  });

  it('leaves other names below docs to short links, and to pages that do not exist', async () => {
    await world.api('POST', '/links', { slug: 'docs/words', destination: 'https://example.com/words' });
    const link = await fetch(`${world.origin}/docs/words`, { redirect: 'manual' });
    expect(link.headers.get('location')).to.equal('https://example.com/words');
    const missing = await fetch(`${world.origin}/docs/no-such-guide.md`);
    expect([missing.status, await codeOf(missing)]).to.deep.equal([404, 'not_found']);
    const page = await fetch(`${world.origin}/reference/no-such-page`);
    expect([page.status, await codeOf(page)]).to.deep.equal([404, 'not_found']);
  });

  for (const path of [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/mcp',
  ]) {
    it(`says in JSON that there is no ${path}`, async () => {
      const answer = await fetch(world.origin + path, { headers: { Accept: PAGE } });
      expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect([answer.status, await codeOf(answer)]).to.deep.equal([404, 'not_found']);
    });
  }
});
