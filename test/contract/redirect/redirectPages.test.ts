// stores: any
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { query } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { flagLink } from '../../../src/links/flagService.ts';
import { Link } from '../../../src/models/Link.ts';
import { TEXTS } from '../../../src/redirect/pages/language.ts';
import { AGENTS } from '../../support/agents.ts';
import { type RawAsk, type RawReply, rawRequest } from '../../support/rawRequest.ts';
import { renameTable } from '../../support/storeFaults.ts';
import { until } from '../../support/until.ts';
import { useWorld } from '../../support/world.ts';

const GO = 'go.example.com';
const DESTINATION = 'https://www.example.com/shoes?a=1&b=2';
const SHOWN = 'https://www.example.com/shoes?a=1&amp;b=2';
const PAST = '2020-01-01T00:00:00.000Z';
const FUTURE = '2099-01-01T00:00:00.000Z';
const HOSTILE = `"><script>alert(1)</script>&'`;
const ESCAPED = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&#39;';
const CRAWLER = 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)';

describe('pages on link domains', () => {
  const world = useWorld({ LINK_DOMAIN: GO });

  const ask = (path: string, { headers, ...more }: RawAsk = {}) =>
    rawRequest(world.origin, path, { host: GO, headers: { 'User-Agent': AGENTS.human, ...headers }, ...more });

  const create = async (body: object = {}): Promise<{ id: string; slug: string }> => {
    const reply = await world.api('POST', '/links', { destination: DESTINATION, ...body });
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201);
    return reply.body;
  };

  const pathOf = async (body: object, plus = '') => `/${(await create(body)).slug}${plus}`;

  const flagged = async (body: object = {}) => {
    const { id, slug } = await create(body);
    await flagLink(id, 'malware');
    return slug;
  };

  /** That it is such a page, and that browsers are told to let it do nothing. */
  const expectPage = ({ status, headers, body }: RawReply, expected: number, title: string) => {
    expect([status, headers.location]).to.deep.equal([expected, undefined]);
    expect(body).to.contain(`<h1>${title}</h1>`).and.to.contain(`<title>${title}</title>`).and.to.contain('<main>');
    expect(Number(headers['content-length'])).to.equal(Buffer.byteLength(body)).and.to.be.below(10_000);
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(body) ?? [];
    const policy = headers['content-security-policy'];
    expect(policy).to.match(/^default-src 'none'; /);
    expect(policy).to.contain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(policy).to.contain("base-uri 'none'").and.to.contain("frame-ancestors 'none'");
    expect(policy).not.to.match(/unsafe|https?:|\*/);
    expect(headers).to.include({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    expect(headers['x-request-id']).to.match(/./);
  };

  type Title = (texts: (typeof TEXTS)['en']) => string;
  const PAGES: [what: string, path: () => Promise<string>, status: number, title: Title][] = [
    ['unknown', async () => '/nobody-has-this', 404, (texts) => texts.notFound.title],
    ['flagged', async () => `/${await flagged()}`, 404, (texts) => texts.flagged.title],
    ['expired', () => pathOf({ expires_at: PAST }), 410, (texts) => texts.expired.title],
    ['with a password', () => pathOf({ password: 'pass' }), 200, (texts) => texts.password.title],
    ['preview', () => pathOf({}, '+'), 200, (texts) => texts.preview.title],
    ['preview of one with a password', () => pathOf({ password: 'pass' }, '+'), 200, (t) => t.protectedPreview.title],
  ];
  for (const [what, path, status, title] of PAGES) {
    it(`${what}: ${status} in five languages, and without a body to HEAD`, async () => {
      const asked = await path();
      for (const [language, texts] of Object.entries(TEXTS)) {
        const headers = { 'Accept-Language': `it, ${language}-XX;q=0.9, en;q=0.1` };
        const reply = await ask(asked, { headers });
        expectPage(reply, status, title(texts));
        expect(reply.headers['content-language']).to.equal(language);
        expect(reply.body).to.contain(`<html lang="${language}">`);
        const head = await ask(asked, { method: 'HEAD', headers });
        expect([head.status, head.body]).to.deep.equal([status, '']);
        expect(head.headers['content-length']).to.equal(reply.headers['content-length']);
      }
    });
  }

  it('while the store is down: 503 with Retry-After', async () => {
    await renameTable('links', 'links_away');
    try {
      const reply = await ask('/not-in-memory', { headers: { 'Accept-Language': 'de' } });
      expectPage(reply, 503, TEXTS.de.unavailable.title);
      expect(reply.headers['retry-after']).to.equal('5');
      expect((await ask('/not-in-memory+')).status).to.equal(503);
    } finally {
      await renameTable('links_away', 'links');
    }
  });

  it('a flagged link never shows its destination', async () => {
    const slug = await flagged({ routing: { rules: [{ when: { platform: ['ios'] }, destination: DESTINATION }] } });
    for (const path of [`/${slug}`, `/${slug}+`, `/${slug}%2B`]) {
      const reply = await ask(path);
      expectPage(reply, 404, TEXTS.en.flagged.title);
      expect(reply.body).not.to.contain('www.example.com');
    }
  });

  describe('the preview of a destination', () => {
    it('shows what the owner says to everyone or the host, and never what is for the team', async () => {
      const own = { title: 'Private title', notes: 'Private notes', tags: ['Private tag'], external_id: 'private' };
      for (const [preview, heading] of [
        [{ title: 'Autumn shoes' }, 'Autumn shoes'],
        [{ description: 'Warm' }, 'www.example.com'],
      ] as const) {
        const { id, slug } = await create({ ...own, preview, data: { secret: 'Private data' } });
        const pages = [
          (await ask(`/${slug}+`)).body,
          (await ask(`/${slug}`, { headers: { 'User-Agent': CRAWLER } })).body,
        ];
        expect(pages[0]).to.contain(`<p>${heading}</p>`);
        expect(pages[1]).to.contain(`<meta property="og:title" content="${heading}">`);
        for (const page of pages) expect(page).to.not.match(/private/i);
        await world.api('DELETE', `/links/${id}`);
      }
    });

    it('shows it with its utm as text and as a link, with short URL', async () => {
      const { slug } = await create({ preview: { title: 'Autumn' }, utm: { source: 'mail' } });
      for (const plus of ['+', '%2B', '%2b', '/+']) {
        const reply = await ask(`/${slug}${plus}`);
        expectPage(reply, 200, TEXTS.en.preview.title);
        expect(reply.body).to.contain(`http://${GO}/${slug}`).and.to.contain('Autumn');
        expect(reply.body).to.match(
          /<a href="https:\/\/www\.example\.com\/shoes\?a=1&amp;b=2&amp;utm_source=mail" rel="noopener/,
        );
        expect(reply.body).to.contain(`>${SHOWN}&amp;utm_source=mail</a>`);
        expect(reply.body).not.to.contain(TEXTS.en.preview.mayVary);
      }
    });

    it('says if others may be sent elsewhere, and shows all sides of a split', async () => {
      const rules = [{ when: { platform: ['ios'] }, destination: 'https://www.example.com/ios' }];
      const ruled = await ask(await pathOf({ routing: { rules } }, '+'));
      expect(ruled.body).to.contain(SHOWN).and.to.contain(TEXTS.en.preview.mayVary);
      const split = ['one', 'two'].map((name) => ({ destination: `https://www.example.com/${name}`, weight: 1 }));
      const { body } = await ask(await pathOf({ routing: { split } }, '+'));
      expect(body).to.contain('>https://www.example.com/one</a>').and.to.contain('>https://www.example.com/two</a>');
      // Nobody is led there.
      expect(body).not.to.contain('shoes');
    });

    it('appends the path after the slug if paths are forwarded', async () => {
      const { slug } = await create({ destination: 'https://www.example.com/a', routing: { forward_path: true } });
      expect((await ask(`/${slug}/more/of+it+`)).body).to.contain('>https://www.example.com/a/more/of+it</a>');
    });

    const HIDDEN: [what: string, body: object, status: number, title: string][] = [
      ['with a password', { password: 'pass' }, 200, TEXTS.en.protectedPreview.title],
      ['not started', { starts_at: FUTURE }, 404, TEXTS.en.notFound.title],
      ['expired', { expires_at: PAST }, 410, TEXTS.en.expired.title],
      ['not started, with a password', { starts_at: FUTURE, password: 'pass' }, 404, TEXTS.en.notFound.title],
    ];
    for (const [what, body, status, title] of HIDDEN) {
      it(`of one ${what} shows none`, async () => {
        const reply = await ask(await pathOf(body, '+'));
        expectPage(reply, status, title);
        expect(reply.body).not.to.contain('www.example.com');
      });
    }

    it('of an archived link is that of an unknown one', async () => {
      const { id, slug } = await create();
      await world.api('POST', `/links/${id}/archive`);
      for (const path of [`/${slug}+`, '/nobody-has-this+', '/+', '/++', '/a/../+', '/%2B']) {
        expectPage(await ask(path), 404, TEXTS.en.notFound.title);
      }
    });

    it('counts nothing', async () => {
      const { id, slug } = await create();
      for (const method of ['GET', 'HEAD', 'POST', 'GET']) {
        expect((await ask(`/${slug}+`, { method })).status).to.equal(200);
      }
      expect((await ask(`/${slug}`)).status).to.equal(302);
      const clicks = () => query('SELECT id FROM clicks WHERE link_id = :id', { id });
      // What had been written before it would be there before it.
      await until(async () => (await clicks()).length, 'the click');
      expect(await clicks()).to.have.length(1);
    });
  });

  it('texts of owners are escaped', async () => {
    const destination = `https://www.example.com/?q=${HOSTILE}`;
    const { id, slug } = await create({ title: HOSTILE, preview: { title: HOSTILE, description: HOSTILE } });
    await inTransaction((transaction) => Link.update({ destination }, { where: { id }, transaction }));
    const preview = (await ask(`/${slug}+`)).body;
    const card = (await ask(`/${slug}`, { headers: { 'User-Agent': CRAWLER } })).body;
    for (const body of [preview, card]) {
      expect(body).to.contain(ESCAPED);
      expect(body).not.to.contain('<script');
    }
    expect(preview).not.to.match(/href="[^"]*[<>]/);
  });

  describe('the preview for social networks', () => {
    const preview = {
      title: 'Shoes & more',
      description: 'All <new>',
      image_url: 'https://www.example.com/a.png?b=1&c=2',
    };
    const asCrawler = { headers: { 'User-Agent': CRAWLER } };
    const tagsOf = ({ body }: RawReply) =>
      Object.fromEntries(
        [...body.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">/g)].map(
          ([, name, content]) => [name, content],
        ),
      );

    it('is a card with what the owner set, and redirects nobody', async () => {
      const { slug } = await create({ preview });
      const reply = await ask(`/${slug}`, asCrawler);
      expect([reply.status, reply.headers.location, reply.headers['x-robots-tag']]).to.deep.equal([
        200,
        undefined,
        undefined,
      ]);
      const url = `http://${GO}/${slug}`;
      const [title, description] = ['Shoes &amp; more', 'All &lt;new&gt;'];
      const image = 'https://www.example.com/a.png?b=1&amp;c=2';
      expect(tagsOf(reply)).to.deep.equal({
        'og:type': 'website',
        'og:url': url,
        'og:title': title,
        'og:description': description,
        'og:image': image,
        'twitter:card': 'summary_large_image',
        'twitter:title': title,
        'twitter:description': description,
        'twitter:image': image,
      });
      expect(reply.body).to.contain(`<link rel="canonical" href="${url}">`).and.to.contain(`<title>${title}</title>`);
      expect(reply.body).not.to.match(/<script|http-equiv|shoes\?a=1/);
      expect((await ask(`/${slug}`, { method: 'HEAD', ...asCrawler })).body).to.equal('');
    });

    it('is small without an image, and falls back to the host of the destination', async () => {
      const { slug } = await create({ title: 'Autumn', preview: { description: 'Warm' } });
      const tags = tagsOf(await ask(`/${slug}`, asCrawler));
      expect(tags).to.include({ 'og:title': 'www.example.com', 'twitter:card': 'summary' });
      expect(tags).not.to.have.property('og:image');
    });

    it('is only for crawlers, and only for links that have one', async () => {
      const { slug } = await create({ preview });
      expect((await ask(`/${slug}`)).status).to.equal(302);
      const { slug: plain } = await create();
      expect((await ask(`/${plain}`, asCrawler)).headers.location).to.equal(DESTINATION);
    });

    it('does not show a link with a password', async () => {
      const { slug } = await create({ preview, password: 'pass' });
      expectPage(await ask(`/${slug}`, asCrawler), 200, TEXTS.en.password.title);
    });
  });
});
