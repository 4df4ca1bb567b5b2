import type { Request } from 'autocannon';
import { picker, type Random, seededRandom, zipf } from './random.ts';
import { slugAt } from './redirectLinks.ts';

const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const chrome = (version: number) => `AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0`;

/** People's browsers, the commonest first; the versions make some hundreds of them. */
const BROWSERS: ((version: number) => string)[] = [
  (version) =>
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_${version % 7} like Mac OS X) ${APPLE} Version/18.${version % 7} Mobile/15E148 Safari/604.1`,
  (version) => `Mozilla/5.0 (Linux; Android 10; K) ${chrome(version)} Mobile Safari/537.36`,
  (version) => `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome(version)} Safari/537.36`,
  (version) => `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/17.${version % 7} Safari/605.1.15`,
  (version) => `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome(version)} Safari/537.36 Edg/${version}.0.0.0`,
  (version) => `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`,
  (version) =>
    `Mozilla/5.0 (iPad; CPU OS 17_${version % 7} like Mac OS X) ${APPLE} Version/17.4 Mobile/15E148 Safari/604.1`,
];

/** Bots, scanners of mail gateways and fetchers of link previews. */
const MACHINES = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'WhatsApp/2.23.20.0',
  'Mozilla/5.0 (compatible; Barracuda Sentinel (EE))',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Mimecast',
  'curl/8.9.1',
  'python-requests/2.32.3',
];

const KINDS = [
  { weight: 60, method: 'GET', isMachine: false, headers: {} },
  { weight: 25, method: 'GET', isMachine: true, headers: {} },
  { weight: 8, method: 'HEAD', isMachine: true, headers: {} },
  { weight: 7, method: 'GET', isMachine: false, headers: { 'Sec-Purpose': 'prefetch;prerender' } },
] as const;

const LANGUAGES = [
  'en-US,en;q=0.9',
  'de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7',
  'en-GB,en;q=0.9',
  'fr-FR,fr;q=0.9,en;q=0.8',
  'pt-BR,pt;q=0.9',
  'ja,en-US;q=0.9',
  'es-ES,es;q=0.9',
];
const REFERRERS = [
  null,
  'https://www.google.com/',
  'https://t.co/abc',
  null,
  'https://l.instagram.com/?u=x',
  'https://l.facebook.com/',
  'https://www.linkedin.com/feed/',
];
const QUERIES = [
  'v=1',
  'v=2&ref=mail',
  'utm_source=visitor&utm_medium=x',
  'gclid=Cj0KCQiA_abc-123',
  'q=a%20b+c&beta',
  'fbclid=IwAR0x',
];

const WITH_QUERY = 0.3;

/**
 * Makes requests for links taken at random from `links`, each by a visitor of its own as most clicks are; the same seed
 * makes the same ones.
 */
export function requestMaker(links: number, seed: number): () => Request {
  const random = seededRandom(seed);
  const kindOf = picker(random, KINDS, ({ weight }) => weight);
  const browserOf = picker(random, BROWSERS, zipf(0.8));
  const machineOf = picker(random, MACHINES, zipf(0.5));
  const languageOf = picker(random, LANGUAGES, zipf(1));
  const referrerOf = picker(random, REFERRERS, zipf(0.7));
  const queryOf = picker(random, QUERIES, zipf(0.5));
  return () => {
    const { method, isMachine, headers } = kindOf();
    const referrer = isMachine ? null : referrerOf();
    const slug = slugAt(Math.floor(random() * links));
    return {
      method,
      path: random() < WITH_QUERY ? `/${slug}?${queryOf()}` : `/${slug}`,
      headers: {
        'User-Agent': isMachine ? machineOf() : browserOf()(110 + Math.floor(random() * 30)),
        'X-Forwarded-For': addressFrom(random),
        ...(isMachine ? {} : { 'Accept-Language': languageOf() }),
        ...(referrer === null ? {} : { Referer: referrer }),
        ...headers,
      },
    };
  };
}

/** Of the networks that are given out to people: 11 to 99 without the private and loopback ones. */
function addressFrom(random: Random): string {
  const part = (from: number, to: number) => from + Math.floor(random() * (to - from));
  return `${part(11, 100)}.${part(0, 256)}.${part(0, 256)}.${part(1, 255)}`;
}
