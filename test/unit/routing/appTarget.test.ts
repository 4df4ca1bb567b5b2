// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import { type AppTargetInput, appTarget, type TargetApp } from '../../../src/routing/appTarget.ts';

const IOS: TargetApp = { platform: 'ios', app_store_id: '123456789', scheme: 'myapp' };
const ANDROID: TargetApp = { platform: 'android', package: 'com.example.app', scheme: 'myapp' };
const WEB = 'https://example.com/shoes?a=1&b=2#top';
const PAGE = 'https://svc.example.com/_open?t=TOKEN';
const PLAY = 'https://play.google.com/store/apps/details?id=com.example.app&referrer=svc_click%3DTOKEN';
const APPLE = 'https://apps.apple.com/app/id123456789';

function ask(parts: Partial<AppTargetInput> = {}, visitor: Partial<AppTargetInput['visitor']> = {}) {
  return appTarget({
    visitor: { platform: 'android', trafficClass: 'human', inApp: null, ...visitor },
    apps: [IOS, ANDROID],
    routing: { ios: {}, android: {} },
    link: { domain: 'go.example.com', slug: 'spring/sale', utm: null },
    web: WEB,
    forwarded: { query: '', path: '' },
    token: 'TOKEN',
    pageUrl: PAGE,
    isReturning: false,
    ...parts,
  });
}

/** As Android's Intent.parseUri reads it, fields in their order. */
function parseIntent(location: string | null) {
  if (!location?.startsWith('intent:')) throw new Error(`Is no intent: ${location}`);
  const hash = location.lastIndexOf('#');
  expect(location.slice(hash)).to.match(/^#Intent;.*;end$/);
  const fields = location.slice(hash + '#Intent;'.length, -';end'.length).split(';');
  const values = new Map(fields.map((field) => field.split(/=(.*)/s) as [string, string]));
  const fallback = decodeURIComponent(values.get('S.browser_fallback_url') ?? '');
  return { names: fields.map((field) => field.split('=')[0]), values, fallback, data: location.slice(7, hash) };
}

const android = (fallback: string | null, deep_link_path: string | null = null) => ({
  routing: { ios: {}, android: { fallback, deep_link_path } },
});
const ios = (fallback: string | null) => ({ routing: { ios: { fallback }, android: {} } });

describe('opening apps', () => {
  it('is for people on iOS and Android if the project has an app and the destination is on the web', () => {
    const table: [Partial<AppTargetInput>, Partial<AppTargetInput['visitor']>, RegExp][] = [
      [{}, { platform: 'windows' }, /platform is windows/],
      [{}, { platform: 'other' }, /platform is other/],
      [{}, { trafficClass: 'bot' }, /is a bot/],
      [{}, { trafficClass: 'scanner' }, /is a scanner/],
      [{}, { trafficClass: 'prefetch', inApp: 'instagram' }, /is a prefetch/],
      [{ apps: [IOS] }, {}, /no Android app/],
      [{ apps: [ANDROID] }, { platform: 'ios', inApp: 'line' }, /no iOS app/],
      [{ web: 'myapp://home' }, {}, /opens an app itself/],
    ];
    for (const [parts, visitor, why] of table) {
      const found = ask(parts, visitor);
      expect(found.location).to.equal(null);
      expect(found.why).to.match(why);
    }
  });

  it('is by an intent on Android, with the fallback of the link', () => {
    const table: [string | null, string][] = [
      ['store', PLAY],
      [null, WEB],
      [
        'https://other.example.com/a;b#Intent;package=evil;end',
        'https://other.example.com/a;b#Intent;package=evil;end',
      ],
      ['https://münchen.example/ä', 'https://xn--mnchen-3ya.example/%C3%A4'],
      ['otherapp://x', WEB],
    ];
    for (const [fallback, expected] of table) {
      const { location } = ask(android(fallback));
      const intent = parseIntent(location);
      expect(intent.fallback).to.equal(expected);
      expect(intent.names).to.deep.equal(['scheme', 'package', 'S.browser_fallback_url']);
      expect(intent.values.get('package')).to.equal('com.example.app');
      expect(location).to.match(/^[\x21-\x7e]+$/);
    }
  });

  it('opens the path in the app by its scheme, else the short URL', () => {
    const withScheme = parseIntent(ask(android('store', '/p/42')).location);
    expect(withScheme.data).to.equal('//p/42?svc_click=TOKEN');
    expect(withScheme.values.get('scheme')).to.equal('myapp');
    expect(parseIntent(ask(android(null, '/p?id=42')).location).data).to.equal('//p?id=42&svc_click=TOKEN');
    expect(parseIntent(ask(android(null)).location).data).to.equal('//spring/sale?svc_click=TOKEN');
    const apps = [{ ...ANDROID, scheme: null }];
    const without = parseIntent(ask({ ...android(null, '/p/42'), apps }).location);
    expect(without.data).to.equal('//go.example.com/spring/sale?svc_click=TOKEN');
    expect(without.values.get('scheme')).to.equal('https');
  });

  it('is skipped if the intent would be too long for a header', () => {
    const long = `https://other.example.com/?${'a=&'.repeat(2700)}`;
    const bent = ask(android(long));
    expect(bent.location).to.equal(long);
    expect(bent.why).to.match(/would have \d+ bytes, more than 8192/);
    expect(ask({ web: long, ...android(null) }).location, 'the destination').to.equal(null);
    expect(ask(android('store', '漢'.repeat(2000))).location).to.equal(PLAY);
    expect(ask(android('store', 'a'.repeat(2000))).location).to.match(/^intent:/);
  });

  it('cannot be manipulated by deep_link_path, a fallback or what a visitor brings', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('#Intent;package=evil;S.x=1;end', ';end', '%23Intent;', '\r\nSet-Cookie: a=b', '//evil.test/'),
    );
    const texts = fc.tuple(hostile, hostile, hostile).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, texts, texts, (path, rest, query) => {
        const fallback = `https://other.example.com/${rest}`;
        const { location } = ask({ ...android(fallback, `/${path}`), forwarded: { query, path: `/${query}` } });
        expect(location).to.match(/^[\x21-\x7e]+$/);
        const intent = parseIntent(location);
        expect(location?.split('#Intent;'), 'no fields but ours').to.have.length(2);
        expect(intent.names).to.deep.equal(['scheme', 'package', 'S.browser_fallback_url']);
        expect(intent.values.get('scheme')).to.equal('myapp');
        expect(intent.values.get('package')).to.equal('com.example.app');
        expect(intent.fallback).to.match(/^https:\/\/other\.example\.com\//);
        expect(intent.data).to.match(/[?&]svc_click=TOKEN(?:#[^#;]*)?$/);
      }),
      { numRuns: 500 },
    );
  });

  it('hands what the visitor brought to the app, its store and its fallback', () => {
    const forwarded = { query: 'ref=userA&n=%C3%A9;x', path: '/more' };
    const data = (parts: Partial<AppTargetInput>) => parseIntent(ask({ forwarded, ...parts }).location).data;
    const table: [string | null, string][] = [
      [null, '//spring/sale/more?ref=userA&n=%C3%A9%3Bx&svc_click=TOKEN'],
      ['/p/42', '//p/42/more?ref=userA&n=%C3%A9%3Bx&svc_click=TOKEN'],
      ['/p?id=42', '//p/more?id=42&ref=userA&n=%C3%A9%3Bx&svc_click=TOKEN'],
      ['/p?ref=own', '//p/more?ref=own&n=%C3%A9%3Bx&svc_click=TOKEN'],
      ['/p#top', '//p/more?ref=userA&n=%C3%A9%3Bx&svc_click=TOKEN#top'],
      ['/p?id=1#a?b=2#c', '//p/more?id=1&ref=userA&n=%C3%A9%3Bx&svc_click=TOKEN#a?b=2%23c'],
    ];
    for (const [path, expected] of table) expect(data(android(null, path)), String(path)).to.equal(expected);
    const apps = [IOS, { ...ANDROID, scheme: null }];
    expect(data({ apps })).to.equal('//go.example.com/spring/sale/more?ref=userA&n=%C3%A9%3Bx&svc_click=TOKEN');

    const referrer = encodeURIComponent('&ref=userA&n=%C3%A9;x');
    const fallbacks: [string, string | null, string][] = [
      ['https://other.example.com/?ref=own#x', null, 'https://other.example.com/more?ref=own&n=%C3%A9;x#x'],
      ['otherapp://x', 'otherapp://x/more?ref=userA&n=%C3%A9;x', WEB],
      ['store', `${PLAY}${referrer}`, `${PLAY}${referrer}`],
    ];
    for (const [fallback, returning, inIntent] of fallbacks) {
      expect(parseIntent(ask({ forwarded, ...android(fallback) }).location).fallback).to.equal(inIntent);
      const { location } = ask({ forwarded, ...android(fallback), isReturning: true });
      expect(location).to.equal(returning ?? inIntent);
    }
    const onIos = ask({ forwarded, ...ios('https://other.example.com/') }, { platform: 'ios' });
    expect(onIos.location).to.equal('https://other.example.com/more?ref=userA&n=%C3%A9;x');
  });

  it('prefers the parameters of the path in the app, then the link’s utm, then those of the visitor', () => {
    const link = { domain: 'go.example.com', slug: 's', utm: { source: 'mail', medium: 'link' } };
    const forwarded = { query: 'utm_source=visitor&utm_medium=visitor&utm_term=visitor', path: '' };
    const { data } = parseIntent(ask({ link, forwarded, ...android(null, '/p?utm_source=app') }).location);
    expect(data).to.equal('//p?utm_source=app&utm_medium=link&utm_term=visitor&svc_click=TOKEN');
  });

  it('uses a page on iOS if the App Store is the fallback, and only universal links otherwise', () => {
    const noStore = [{ ...IOS, app_store_id: null }];
    const table: [Partial<AppTargetInput>, string | null][] = [
      [ios('store'), PAGE],
      [ios('https://other.example.com/'), 'https://other.example.com/'],
      [ios(null), null],
      [{ ...ios('store'), apps: noStore }, null],
      [{ ...ios('https://other.example.com/'), apps: noStore }, 'https://other.example.com/'],
    ];
    for (const [parts, location] of table) expect(ask(parts, { platform: 'ios' }).location).to.equal(location);
  });

  it('always uses the page in the browser of another app', () => {
    for (const platform of ['ios', 'android'] as const)
      for (const fallback of ['store', 'https://other.example.com/', null]) {
        const routing = { ios: { fallback }, android: { fallback } };
        expect(ask({ routing }, { platform, inApp: 'instagram' }).location).to.equal(PAGE);
      }
  });

  it('is not tried twice: a visitor with a token goes to the fallback', () => {
    const table: [string | null, string | null, string | null][] = [
      ['store', PLAY, APPLE],
      ['https://other.example.com/', 'https://other.example.com/', 'https://other.example.com/'],
      [null, null, null],
    ];
    for (const [fallback, onAndroid, onIos] of table)
      for (const inApp of [null, 'instagram']) {
        const parts = { routing: { ios: { fallback }, android: { fallback } }, isReturning: true };
        expect(ask(parts, { platform: 'android', inApp }).location).to.equal(onAndroid);
        expect(ask(parts, { platform: 'ios', inApp }).location).to.equal(onIos);
      }
  });

  it('takes the first app of a platform', () => {
    const apps: TargetApp[] = [{ ...ANDROID, package: 'com.example.first' }, ANDROID];
    expect(parseIntent(ask({ apps }).location).values.get('package')).to.equal('com.example.first');
  });

  it('adds the link’s utm to a fallback', () => {
    const link = { domain: 'go.example.com', slug: 's', utm: { source: 'mail' } };
    expect(ask({ ...ios('https://other.example.com/'), link }, { platform: 'ios' }).location).to.equal(
      'https://other.example.com/?utm_source=mail',
    );
  });

  it('returns the target behind the page without a token and a page', () => {
    const parts = { token: null, pageUrl: null };
    expect(ask({ ...ios('store'), ...parts }, { platform: 'ios' }).location).to.equal(APPLE);
    expect(ask({ ...android('store', '/p/42'), ...parts }).location).to.equal(
      'intent://p/42#Intent;scheme=myapp;package=com.example.app;S.browser_fallback_url=' +
        'https%3A%2F%2Fplay.google.com%2Fstore%2Fapps%2Fdetails%3Fid%3Dcom.example.app;end',
    );
  });
});
