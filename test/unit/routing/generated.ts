import fc from 'fast-check';
import type { StoredRouting, StoredRule } from '../../../src/routing/compiledLink.ts';
import type { PlainLink, PlainVisitor } from './interpreter.ts';
import { NOW } from './stored.ts';

const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0';
const SAFARI = `${APPLE} Version/17.5 Mobile/15E148 Safari/604.1`;
/** What a User-Agent header says, and it. */
const AGENTS = [
  ['ios', 'mobile', `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${SAFARI}`],
  ['ios', 'tablet', `Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) ${SAFARI}`],
  ['android', 'mobile', `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${CHROME} Mobile Safari/537.36`],
  ['windows', 'desktop', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`],
  ['macos', 'desktop', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/17.5 Safari/605.1.15`],
  ['linux', 'desktop', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'],
  ['other', 'desktop', 'curl/8.9.1'],
] as const;
const LANGUAGES = [
  ['de', 'de'],
  ['de-AT', 'de-AT,de;q=0.9,en;q=0.8'],
  ['zh-Hant-TW', 'zh-Hant-TW, zh;q=0.9'],
  ['en-GB', 'de;q=0, en-GB'],
  ['den', 'den'],
  [null, '*'],
  [null, undefined],
] as const;
const REFERRERS = [
  ['t.co', 'https://T.co/abc?x=1'],
  ['www.t.co', 'https://www.t.co:8443/'],
  ['com.google.android.gm', 'android-app://com.google.android.gm/'],
  ['not-t.co', 'http://not-t.co'],
  [null, 'about:blank'],
  [null, undefined],
] as const;
const COUNTRIES = ['DE', 'AT', 'US'] as const;

/** Pieces of a visitor's query: encoded, broken, repeated, with neither name nor value. */
const BROUGHT = [
  ...['v=1', 'v=2', 'v', 'v=', '%76=2', 'w=a+b', 'w=a%20b', 'w=a%2Bb', '=e', '=', '', 'V=1', 'a=1', 'a=2'],
  ...['a+b=1', 'a%20b=2', 'a%2Bb=3', '%', 'v=%', '%zz=1', '%ff=1', '%C3%BC=1', 'v=1=2', 'b%3Dc=1', 'b=c=1', 'v=%00'],
  ...['utm_source=visitor', 'utm_source=again', 'utm%5Fmedium=visitor', 'UTM_SOURCE=x', 'v=%0d%0a', 'v=%26a=1', 'q?=1'],
];
const WANTED = [
  ...[{ name: 'v' }, { name: 'v', value: '1' }, { name: 'v', value: '2' }, { name: 'v', value: '' }, { name: 'ü' }],
  ...[
    { name: 'w', value: 'a b' },
    { name: 'w', value: 'a+b' },
    { name: 'a b', value: null },
    { name: 'b', value: 'c=1' },
  ],
];
const OWN = [
  ...['', '', '', '?', '?a=1', '?a=1&', '?&a=1', '?v=own', '?%76=own&a', '?utm_source=own&b=2', '?a+b=1', '?=e'],
  ...['?a=1&a=2', '?%C3%BC=1', '?ü=ö', '?v=%', '?b%3Dc', '?q?=1', '?url=https://y.test/?z=1'],
];
const FRAGMENTS = ['', '', '', '#', '#c', '#c?d=1&v=1', '#/route/%20?v', '#ü', '#c#d'];
const BASES = [
  ...[
    'https://HOST.test',
    'https://HOST.test/',
    'https://HOST.test/a/b',
    'https://HOST.test/a/',
    'http://HOST.test:81/a.b/..c',
  ],
  ...['https://HOST-münchen.test:8443/ä', 'https://HOST.test/a%2Fb%20c', 'myapp-HOST://product/42', 'myapp-HOST:open'],
];
const PATHS = [
  ...[
    '',
    '',
    '',
    '/more',
    '/more/',
    '/a/b.html',
    '/a%2Fb',
    '/%2e%2e/x',
    '/../x',
    '/./x',
    '/a/..',
    '/..a/.b',
    '/a%20b',
    '/%',
  ],
  ...[
    '//evil.test',
    '/\\evil.test',
    '/a;b=1,c@d:e',
    '/a+b&c=d',
    '/%23x%3Fy',
    '/%C3%BC',
    '/..%2f..%2fx',
    '/a//b',
    '/.%2E',
  ],
];
const UTM = ['news', 'a b&c', 'ü', '100%', 'a+b', '', null];

const EARLIER = new Date(NOW - 1000).toISOString();
const moment = fc.integer({ min: NOW - 3, max: NOW + 3 });
/** With and without an offset, which is the same moment. */
const time = fc.tuple(moment, fc.boolean()).map(([at, isLocal]) => {
  const utc = new Date(at + (isLocal ? 7_200_000 : 0)).toISOString();
  return isLocal ? utc.replace('Z', '+02:00') : utc;
});
const seldom = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 24, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });
const some = <Value>(values: readonly Value[], maxLength = 3) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength });

const everyCondition = fc.record({
  platform: some(['ios', 'android', 'windows', 'macos', 'linux', 'other']),
  device: some(['mobile', 'tablet', 'desktop'], 2),
  country: some(COUNTRIES, 2),
  language: some(['de', 'DE-at', 'en', 'zh', 'zh-hant', 'd']),
  referrer_host: some(['t.co', 'T.CO', 'www.t.co', 'com.google.android.gm', 'co']),
  query: some(WANTED),
  after: time,
  before: time,
});
/** Few of them, or hardly a rule would match. */
const conditions = (minLength: number, maxLength: number) =>
  fc
    .tuple(everyCondition, fc.uniqueArray(fc.nat({ max: 7 }), { minLength, maxLength }))
    .map(([all, kept]) => Object.fromEntries(Object.entries(all).filter((_, at) => kept.includes(at))));
const when = fc
  .tuple(conditions(1, 2), conditions(1, 2), fc.nat({ max: 3 }))
  .map(([held, not, which]) => [held, held, { ...held, not }, { not }][which] as StoredRule['when']);

const place = (host: string) =>
  fc
    .tuple(fc.constantFrom(...BASES), fc.constantFrom(...OWN), fc.constantFrom(...FRAGMENTS))
    .map(([base, own, fragment]) => base.replace('HOST', host) + own + fragment);
const named = <Value>(values: fc.Arbitrary<Value>[], what: string) =>
  fc.tuple(
    ...values.map((value, at) => fc.record({ value, destination: place(`${what}${at}`), isNamed: fc.boolean() })),
  );
const shorten = <Value>(list: fc.Arbitrary<Value[]>, minLength: number, maxLength: number) =>
  fc.tuple(list, fc.integer({ min: minLength, max: maxLength })).map(([all, length]) => all.slice(0, length));

const rules = shorten(named(Array(4).fill(when), 'rule'), 0, 4).map((list) =>
  list.map(({ value, destination, isNamed }, at) => ({ when: value, destination, ...nameOf(isNamed, `R${at}`) })),
);
const split = shorten(named(Array(4).fill(fc.integer({ min: 1, max: 9 })), 'split'), 2, 4).map((list) =>
  list.map(({ value, destination, isNamed }, at) => ({ weight: value, destination, ...nameOf(isNamed, `S${at}`) })),
);

const routing: fc.Arbitrary<StoredRouting> = fc
  .record({
    rules,
    split: fc.option(split, { freq: 2 }),
    forward_query: fc.constantFrom(undefined, true, true, false),
    forward_path: fc.constantFrom(undefined, true, false),
  })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== null)));

const utm = fc.record({
  source: fc.constantFrom(...UTM),
  medium: fc.constantFrom(...UTM),
  campaign: fc.constantFrom(...UTM),
  term: fc.constant(null),
  content: fc.constant(null),
});

/** Links with rules and splits out of small pools, so that what visitors bring often meets a condition. */
export const generatedLink: fc.Arbitrary<PlainLink> = fc.record({
  destination: place('own'),
  routing: fc.option(routing, { freq: 15 }),
  utm: fc.option(utm, { freq: 2 }),
  flagged_at: seldom(fc.constant(EARLIER)),
  archived_at: seldom(fc.constant(EARLIER)),
  starts_at: seldom(time),
  expires_at: seldom(time),
  expired_destination: fc.option(place('late')),
  click_limit: seldom(fc.integer({ min: 1, max: 3 })),
  clicks: fc.integer({ min: 0, max: 3 }),
});

/** What a visitor sends, and what it means. */
export interface Sent {
  plain: PlainVisitor;
  headers: { userAgent: string; acceptLanguage: string | undefined; referer: string | undefined };
  address: string;
}

export const generatedVisitor: fc.Arbitrary<Sent> = fc
  .record({
    agent: fc.constantFrom(...AGENTS),
    language: fc.constantFrom(...LANGUAGES),
    referrer: fc.constantFrom(...REFERRERS),
    country: fc.option(fc.constantFrom(...COUNTRIES), { freq: 5 }),
    at: moment,
    pieces: fc.array(fc.constantFrom(...BROUGHT), { maxLength: 5 }),
    more: fc.constantFrom(...PATHS),
    address: fc.ipV4(),
  })
  .map(({ agent, language, referrer, country, at, pieces, more, address }) => ({
    plain: {
      platform: agent[0],
      device: agent[1],
      language: language[0],
      referrer_host: referrer[0],
      country,
      at: new Date(at).toISOString(),
      query: pieces.join('&'),
      more,
    },
    headers: { userAgent: agent[2], acceptLanguage: language[1], referer: referrer[1] },
    address,
  }));

function nameOf(isNamed: boolean, name: string): { name?: string } {
  return isNamed ? { name } : {};
}
