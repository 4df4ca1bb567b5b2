// stores: none
import { expect } from 'chai';
import { parseVisitor, type VisitorHeaders } from '../../../src/routing/visitor.ts';

const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0';
const IPHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${APPLE} Version/17.5 Mobile/15E148 Safari/604.1`;
const WINDOWS = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`;

/** [agent, platform, device, browser] */
const AGENTS: [string, string, string, string | null][] = [
  [IPHONE, 'ios', 'mobile', 'Mobile Safari'],
  [
    `Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) ${APPLE} Version/16.6 Mobile/15E148 Safari/604.1`,
    'ios',
    'tablet',
    'Mobile Safari',
  ],
  [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${CHROME} Mobile Safari/537.36`, 'android', 'mobile', 'Chrome'],
  [`Mozilla/5.0 (Linux; Android 13; SM-X700) ${CHROME} Safari/537.36`, 'android', 'tablet', 'Chrome'],
  [WINDOWS, 'windows', 'desktop', 'Chrome'],
  [`${WINDOWS} Edg/131.0.0.0`, 'windows', 'desktop', 'Edge'],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/17.5 Safari/605.1.15`,
    'macos',
    'desktop',
    'Safari',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'linux', 'desktop', 'Firefox'],
  ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'linux', 'desktop', 'Firefox'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`, 'other', 'desktop', 'Chrome'],
  [`Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) ${CHROME} TV Safari/537.36`, 'other', 'desktop', 'Chrome'],
  ['?', 'other', 'desktop', null],
];

describe('a visitor’s agent', () => {
  for (const [userAgent, platform, device, browser] of AGENTS) {
    it(`${userAgent.slice(0, 60)}: ${platform}, ${device}, ${browser}`, () => {
      expect(parseVisitor({ userAgent }, 'GET')).to.include({ platform, device, browser });
    });
  }

  it('is read up to 512 characters', () => {
    const long = parseVisitor({ userAgent: `${'x'.repeat(512)}${IPHONE}` }, 'GET');
    expect(long.platform).to.equal('other');
    expect(parseVisitor({ userAgent: `${IPHONE}${' '.repeat(20_000)}` }, 'GET').platform).to.equal('ios');
  });
});

const TRAFFIC: [string, VisitorHeaders, string, string, string | null][] = [
  ['a browser', { userAgent: IPHONE }, 'GET', 'human', null],
  ['a browser’s form', { userAgent: IPHONE }, 'POST', 'human', null],
  ['HEAD', { userAgent: IPHONE }, 'HEAD', 'bot', 'head'],
  ['Sec-Purpose', { userAgent: WINDOWS, secPurpose: 'prefetch;prerender' }, 'GET', 'prefetch', 'sec-purpose'],
  ['Purpose', { userAgent: WINDOWS, purpose: 'Prefetch' }, 'GET', 'prefetch', 'sec-purpose'],
  ['X-Moz', { userAgent: WINDOWS, xMoz: 'prefetch' }, 'GET', 'prefetch', 'sec-purpose'],
  ['another purpose', { userAgent: WINDOWS, secPurpose: 'navigate' }, 'GET', 'human', null],
  ['no agent', {}, 'GET', 'bot', 'no agent'],
  ['an empty agent', { userAgent: '' }, 'GET', 'bot', 'no agent'],
  ['Googlebot', { userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' }, 'GET', 'bot', 'agent'],
  ['curl', { userAgent: 'curl/8.9.1' }, 'GET', 'bot', 'agent'],
  ['a mail gateway', { userAgent: 'Mozilla/5.0 (Windows NT 10.0) Mimecast' }, 'GET', 'scanner', 'scanner agent'],
  ['Office', { userAgent: 'Mozilla/4.0 (compatible; ms-office; MSOffice 16)' }, 'GET', 'scanner', 'scanner agent'],
];

describe('a visitor’s traffic class', () => {
  for (const [what, headers, method, trafficClass, trafficReason] of TRAFFIC) {
    it(`${what}: ${trafficClass}`, () => {
      expect(parseVisitor(headers, method)).to.include({ trafficClass, trafficReason });
    });
  }
});

const LANGUAGES: [string | undefined, string | null][] = [
  ['de-AT,de;q=0.9,en;q=0.8', 'de-at'],
  ['EN', 'en'],
  [' fr-CH ; q=1 , de', 'fr-ch'],
  ['de;q=0, en', 'en'],
  ['de; q=0.0,en;q=0.1', 'en'],
  ['zh-Hant-TW', 'zh-hant-tw'],
  ['*', null],
  ['*, it', 'it'],
  ['', null],
  [';;,,', null],
  ['<script>', null],
  [`${'x'.repeat(300)},de`, null],
  [undefined, null],
];

describe('a visitor’s language', () => {
  for (const [acceptLanguage, language] of LANGUAGES) {
    it(`${String(acceptLanguage).slice(0, 40)}: ${language}`, () => {
      expect(parseVisitor({ acceptLanguage }, 'GET').language).to.equal(language);
    });
  }
});

const REFERRERS: [string | undefined, string | null][] = [
  ['https://T.co/abc?x=1', 't.co'],
  ['https://t.co', 't.co'],
  ['http://localhost:8080/a', 'localhost'],
  ['https://user:secret@example.com./', 'example.com'],
  ['https://[2001:db8::1]:443/', '[2001:db8::1]'],
  ['android-app://com.google.android.gm/', 'com.google.android.gm'],
  [`https://example.com/${'x'.repeat(5000)}`, 'example.com'],
  [`https://${'x'.repeat(600)}.example.com/`, null],
  ['https://exa mple.com/', null],
  ['https://', null],
  ['about:blank', null],
  ['example.com', null],
  ['', null],
  [undefined, null],
];

describe('a visitor’s referrer', () => {
  for (const [referer, referrerHost] of REFERRERS) {
    it(`${String(referer).slice(0, 40)}: ${referrerHost}`, () => {
      expect(parseVisitor({ referer }, 'GET').referrerHost).to.equal(referrerHost);
    });
  }
});
