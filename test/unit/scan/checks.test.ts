// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import { loadConfig } from '../../../src/kernel/config.ts';
import { CHECKS } from '../../../src/scan/checks.ts';
import { runChecks } from '../../../src/scan/scan.ts';

const PRODUCTION = {
  LOG_LEVEL: 'silent',
  BASE_URL: 'https://app.sprintly.example.com',
  SDK_URL: 'https://sdk.sprintly.example.com',
  LINK_DOMAIN: 'go.sprintly.io',
};

const GOOD = [
  'https://www.example.com/',
  'http://example.com:8080/path?query=1#fragment',
  'https://example.com./',
  'https://93.184.216.34/',
  'https://[2606:2800:220:1:248:1893:25c8:1946]/',
  'https://münchen.de/',
  'https://пример.рф/',
  'https://例え.jp/',
  'https://ドメイン名例.jp/',
  'https://cafeテリア.jp/',
  'https://ελλάδα.gr/',
  'https://xn--mnchen-3ya.de/',
  'https://россия.com/',
  'https://сор.рф/',
  'https://хор.ru/',
  'https://παράδειγμα.com/',
  'https://한국.kr/',
  'https://naver한국.com/',
  'https://中文.tw/',
  'https://مثال.com/',
  'https://דוגמה.co.il/',
  'https://उदाहरण.भारत/',
  'https://ตัวอย่าง.ไทย/',
  'https://faß.de/',
  'https://år2026-blåbær.no/',
  'https://☃.net/',
  'https://localhost.example.com/',
  'https://internal.example.com/',
  'https://sprintly.example.com/',
  'https://www.sprintly.io/',
  'https://app.sprintly.example.com/app/links',
  'https://app.sprintly.example.com/reference?x=1',
  'https://app.sprintly.example.com/',
  'https://sprinter.io/',
  'myapp://product/42',
  'myapp://localhost/product',
  'com.example.app:/open?x=1',
];

const BAD: Record<string, string[]> = {
  form: [
    'javascript:alert(1)',
    'data:text/html,x',
    'intent://x#Intent;end',
    'file:///etc/passwd',
    'https://user:password@example.com/',
    'https://example.com@evil.example/',
    'myapp://user@host/',
    'https://example..com/',
    'https://./',
    'nothing',
    '',
    'https://',
    'https://exa mple.com/',
  ],
  private_address: [
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://１２７.0.0.1/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.1.1:8080/',
    'http://100.64.0.1/',
    'http://0.0.0.0/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://localhost/',
    'http://LOCALHOST:3000/',
    'http://localhost./',
    'http://api.localhost/',
    'http://printer.local/',
    'http://vault.internal/',
    'http://metadata.google.internal/',
    'http://metadata.goog/',
    'http://router.home.arpa/',
    'http://intranet/',
    'http://com./',
  ],
  own_host: [
    'https://go.sprintly.io/abc',
    'http://go.sprintly.io/abc',
    'https://go.sprintly.io./abc',
    'https://GO.SPRINTLY.IO/',
    'https://go.sprintly.io:443/abc',
    'http://go.sprintly.io:443/abc',
    'https://app.sprintly.example.com/abc',
    'https://app.sprintly.example.com//app',
    'https://sdk.sprintly.example.com/abc',
  ],
  mixed_scripts: [
    // Cyrillic а among Latin, Greek ο among Latin, Cyrillic among Greek, Thai among Latin, Hangul among Kana.
    'https://pаypal.com/',
    'https://gοogle.com/',
    'https://www.gооgle.com/',
    'https://αбв.com/',
    'https://abcไทย.com/',
    'https://カ한.com/',
    'https://xn--pypal-4ve.com/',
  ],
  look_alike: [
    'https://аррӏе.com/',
    'https://xn--80ak6aa92e.com/',
    'https://сосо.net/',
    'https://login.хост.рос.org/',
    'https://οικοι.com/',
    'https://ᎳᎪ.com/',
    'https://sprint1y.io/',
    'https://www.sprint1y.io/x',
    'https://sprıntly.io/',
    'https://śprintly.io/',
    'https://exarnple.com/',
  ],
};

async function checkOf(url: string): Promise<string | null> {
  const [result] = await runChecks([[{ path: 'destination', url }]]);
  return result?.finding?.check.name ?? null;
}

describe('Scan checks', () => {
  beforeEach(() => loadConfig(PRODUCTION));
  after(() => loadConfig({ LOG_LEVEL: 'silent' }));

  for (const url of GOOD) {
    it(`lets ${url} pass`, async () => expect(await checkOf(url)).to.equal(null));
  }

  for (const [name, urls] of Object.entries(BAD)) {
    for (const url of urls) it(`refuses "${url}": ${name}`, async () => expect(await checkOf(url)).to.equal(name));
  }

  it('refuses a name that stands for no letters, which Node 22 does not read as a URL at all', async () => {
    expect(await checkOf('https://xn--a.com/')).to.equal(URL.parse('https://xn--a.com/') ? 'mixed_scripts' : 'form');
  });

  it('says which field, which check and what to do', async () => {
    const [good, bad] = await runChecks([
      [{ path: 'destination', url: 'https://example.org/' }],
      [
        { path: 'destination', url: 'https://example.org/' },
        { path: 'routing.rules.0.destination', url: 'http://10.0.0.1/' },
      ],
    ]);
    expect(good).to.deep.equal({ finding: null, refusal: null, isComplete: true });
    expect([bad?.refusal?.status, bad?.refusal?.code]).to.deep.equal([422, 'destination_refused']);
    expect(bad?.refusal?.message)
      .to.include('routing.rules.0.destination')
      .and.include('private_address')
      .and.include('10.0.0.1 is a private address. Use an address that every visitor can reach.');
  });

  it('has a sentence of advice with each check', () => {
    for (const { advice } of CHECKS) expect(advice).to.match(/^Use .*\.$/);
  });

  describe('in development (allowPrivateTargets)', () => {
    beforeEach(() => loadConfig({ LOG_LEVEL: 'silent', PORT: '3000', ALLOW_PRIVATE_TARGETS: 'true' }));

    const allowed = ['http://127.0.0.1:9000/x', 'http://localhost:5173/x', 'http://10.0.0.1/', 'http://shop.local/'];
    for (const url of [...allowed, 'http://intranet/', 'http://localhost:3000/app']) {
      it(`lets ${url} pass`, async () => expect(await checkOf(url)).to.equal(null));
    }
    for (const url of ['http://169.254.169.254/', 'http://metadata.google.internal/', 'http://[fd00:ec2::254]/']) {
      it(`refuses ${url}`, async () => expect(await checkOf(url)).to.equal('private_address'));
    }
    for (const url of ['http://localhost:3000/abc', 'http://127.0.0.1:3000/abc', 'http://[::1]:3000/abc']) {
      it(`takes ${url} for a short link`, async () => expect(await checkOf(url)).to.equal('own_host'));
    }
  });

  it('never throws, and returns one result for each link', async () => {
    const part = fc.constantFrom(
      'http://',
      'https://',
      'xn--',
      '//',
      '@',
      ':',
      '[',
      ']',
      '%',
      '.',
      '..',
      '0x',
      '\u0000',
    );
    const urlish = fc
      .array(fc.oneof(part, fc.string({ unit: 'binary', maxLength: 8 }), fc.webUrl()))
      .map((all) => all.join(''));
    const sets = fc.array(fc.array(fc.record({ path: fc.constant('destination'), url: urlish })));
    await fc.assert(
      fc.asyncProperty(sets, async (links) => {
        expect(await runChecks(links)).to.have.length(links.length);
      }),
      { numRuns: 300 },
    );
  });
});
