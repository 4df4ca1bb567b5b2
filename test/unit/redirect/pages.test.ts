// stores: none
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { chooseLanguage, TEXTS } from '../../../src/redirect/pages/language.ts';
import { type PageName, renderPage } from '../../../src/redirect/pages/pages.ts';
import { socialPage } from '../../../src/redirect/pages/socialPage.ts';

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;`;
const ESCAPED = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&#39;alert(2)&#39;&gt;&amp;amp;';

const STATUSES: Record<PageName, number> = {
  not_found: 404,
  flagged: 404,
  expired: 410,
  unavailable: 503,
  password: 200,
  password_wrong: 403,
  password_throttled: 429,
  preview: 200,
  preview_protected: 200,
};

const FACTS = { shortUrl: 'https://go.example.com/a', destinations: ['https://www.example.com/'], mayVary: true };

describe('pages', () => {
  for (const [name, status] of Object.entries(STATUSES) as [PageName, number][]) {
    it(`${name}: ${status} in each language, small, with nothing but its own style`, () => {
      const bodies = Object.keys(TEXTS).map((language) => {
        const page = renderPage(name, language, FACTS);
        expect(page.status).to.equal(status);
        expect(page.html.length).to.be.below(10_000);
        const markup = page.html.toString();
        expect(markup).to.contain(`<html lang="${language}">`);
        const [, style = ''] = /<style>(.*)<\/style>/s.exec(markup) ?? [];
        const policy = page.headers[page.headers.indexOf('Content-Security-Policy') + 1];
        expect(policy).to.contain(
          `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
        );
        expect(markup.match(/<h1>/g)).to.have.length(1);
        expect(markup).not.to.match(/ style=|undefined|\[object/);
        return markup;
      });
      expect(new Set(bodies).size).to.equal(bodies.length);
    });
  }

  it('escape texts of owners', () => {
    const facts = { shortUrl: HOSTILE, heading: HOSTILE, destinations: [`https://a.example/?${HOSTILE}`, HOSTILE] };
    const preview = renderPage('preview', 'en', facts).html.toString();
    const card = socialPage({ url: HOSTILE, title: HOSTILE, description: HOSTILE, imageUrl: HOSTILE }).html.toString();
    for (const [markup, times] of [
      [preview, 5],
      [card, 14],
    ] as const) {
      expect(markup).not.to.match(/<script|<img|onerror='/);
      expect(markup.split(ESCAPED)).to.have.length(times + 1);
    }
  });

  it('link to web addresses only', () => {
    const destinations = ['javascript:alert(1)', 'myapp://open', 'HTTPS://www.example.com/'];
    const markup = renderPage('preview', 'en', { ...FACTS, destinations }).html.toString();
    expect([...markup.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).to.deep.equal(['HTTPS://www.example.com/']);
  });

  it('state the waiting time in whole minutes', () => {
    const said = (retryAfterSeconds: number) =>
      /in (one minute|\d+ minutes)/.exec(
        renderPage('password_throttled', 'en', { retryAfterSeconds }).html.toString(),
      )?.[1];
    expect([1, 60, 61, 600].map(said)).to.deep.equal(['one minute', 'one minute', '2 minutes', '10 minutes']);
  });
});

describe('the language of a page', () => {
  const CASES: [header: string | undefined, language: string][] = [
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['de', 'de'],
    ['de-AT', 'de'],
    ['fr-CA,fr;q=0.9,en;q=0.8', 'fr'],
    ['en;q=0.5, es;q=0.7', 'es'],
    ['JA', 'ja'],
    ['it,pt;q=0.8', 'en'],
    ['it, ja;q=0.3', 'ja'],
    ['de;q=0, fr;q=0.1', 'fr'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    [';;;q=,,', 'en'],
    [`${'xx,'.repeat(5000)}de`, 'en'],
  ];
  for (const [header, language] of CASES) {
    it(`${String(header).slice(0, 30)} → ${language}`, () => {
      expect([chooseLanguage(header), chooseLanguage(header)]).to.deep.equal([language, language]);
    });
  }
});
