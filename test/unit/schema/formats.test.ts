// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import { FORMATS } from '../../../schema/formats.ts';

const GOOD: Record<string, string[]> = {
  slug: ['a', 'spring/sale', '~-_.', 'A/b.c', '.well', 'a/..b', '.well-known-not'],
  destination: ['https://example.com/ä?b=c#d', 'HTTP://EXAMPLE.com', 'myapp:open', 'my.app+x://p'],
  fallback: ['store', 'https://example.com/', 'myapp://p'],
  uri: ['https://example.com/', 'HTTP://example.com:81/a'],
  ip: ['192.0.2.1', '2001:db8::1', '::', '::ffff:192.0.2.1', 'fe80::1%eth0'],
  uuid: ['6f1c1b3e-3c3f-4a39-9d0c-0d9e5b7f2a11', '6F1C1B3E-3C3F-4A39-9D0C-0D9E5B7F2A11'],
  'date-time': ['2026-12-01T00:00:00Z', '2026-12-01t23:59:59.123456789+05:30', '1000-01-02T00:00:00-00:00'],
  timezone: ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'EST5EDT'],
  country: ['DE', ' uk', 'DD', 'XK'],
  language: ['de', 'pt_BR', ' zh-Hant-TW ', 'es-419', 'iw', 'ca-valencia'],
  referrer_host: [
    't.co',
    ' T.CO.',
    'https://t.co:443/a?b',
    'münchen.example',
    '[::1]:80',
    'android-app://com.example.app/',
  ],
  host: ['go.example.com', 'LOCALHOST:3000', 'xn--bcher-kva.example'],
  bundle_id: ['com.example.app'],
  team_id: ['ABCDE12345'],
  app_store_id: ['123456789'],
  android_package: ['com.example.app_2'],
  sha256_fingerprint: [Array(32).fill('0A').join(':')],
};
const BAD: Record<string, string[]> = {
  slug: ['', '/a', 'a/', 'a//b', '.', '..', 'a/../b', './a', '.well-known', '.well-known/x', 'ä', 'a b'],
  destination: ['example.com', '//example.com', 'a:b', 'https://exa mple.com', 'https://example.com/\n'],
  fallback: ['', 'appstore', 'Store'],
  uri: ['ftp://example.com', 'example.com', 'https:example.com'],
  country: ['', 'D', 'DEU', 'Germany'],
  language: ['', 'portuguese', '*', 'de,en', '日本語'],
  referrer_host: ['', ' ', '.t.co', '*.t.co', 'a b'],
  'date-time': ['2026-12-01', '2026-12-01 00:00:00Z', '1767225600', '2026-12-01T00:00:00'],
};

describe('formats', () => {
  for (const [name, { pattern, problem }] of Object.entries(FORMATS)) {
    // As validators of JSON Schema read patterns.
    const form = new RegExp(pattern, 'u');

    it(`${name}: the pattern lets through what the format does`, () => {
      expect(GOOD[name], 'examples').to.not.equal(undefined);
      for (const text of GOOD[name] ?? []) {
        expect(problem(text), text).to.equal(null);
        expect(form.test(text), text).to.equal(true);
      }
      for (const text of BAD[name] ?? []) {
        expect(problem(text), text).to.be.a('string');
        expect(form.test(text), text).to.equal(false);
      }
    });
  }

  it('lets no slug through by one that the other refuses', () => {
    const { pattern, problem } = FORMATS.slug as (typeof FORMATS)[string];
    const form = new RegExp(pattern, 'u');
    const pieces = fc.constantFrom('a', 'Z', '9', '-', '_', '.', '..', '/', '~', '.well-known', 'ä', ' ', '\n');
    const slug = fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(fc.property(slug, (text) => form.test(text) === (problem(text) === null)));
  });

  it('has a pattern that fits every URL that is one', () => {
    const form = new RegExp(FORMATS.destination?.pattern ?? '', 'u');
    const url = fc.webUrl({ withQueryParameters: true, withFragments: true });
    fc.assert(fc.property(url, (text) => FORMATS.destination?.problem(text) !== null || form.test(text)));
  });

  it('says of Unix time what it is, and of "appstore" what to write', () => {
    expect(FORMATS['date-time']?.problem('1767225600')).to.equal(
      'Must be an ISO 8601 time with a zone, such as 2026-12-01T00:00:00.000Z. In this format 1767225600 is 2026-01-01T00:00:00.000Z.',
    );
    expect(FORMATS['date-time']?.problem('1767225600000')).to.include('is 2026-01-01T00:00:00.000Z');
    for (const word of ['appstore', 'App Store', 'play_store', 'STORE'])
      expect(FORMATS.fallback?.problem(word), word).to.include('"store"');
  });
});
