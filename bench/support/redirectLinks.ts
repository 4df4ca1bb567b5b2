import type { Product } from './product.ts';
import { picker, type Random, seededRandom } from './random.ts';

const BATCH = 1000;
const PLATFORMS = ['ios', 'android', 'windows', 'macos', 'linux', 'other'];
const COUNTRIES = ['US', 'DE', 'GB', 'FR', 'IN', 'BR', 'JP', 'AT', 'CH', 'ES'];
const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'en-GB'];
const REFERRERS = ['t.co', 'www.google.com', 'l.instagram.com', 'l.facebook.com', 'www.linkedin.com'];

const KINDS = [
  { weight: 40, routing: (random: Random, page: string) => ({ routing: { rules: rulesOf(random, page) } }) },
  { weight: 10, routing: (random: Random, page: string) => ({ routing: { split: splitOf(random, page) } }) },
  { weight: 20, routing: utmOf },
  { weight: 30, routing: () => ({}) },
];

/** Slug of a link by its place. */
export function slugAt(at: number): string {
  return `r${at.toString(36)}`;
}

/**
 * Makes links over REST: two in five with 5–10 rules of several conditions, one in ten with a split, one in five with
 * utm parameters beside parameters of its own. Every run has the same links.
 */
export async function makeRoutedLinks({ call }: Product, count: number): Promise<void> {
  const random = seededRandom(4);
  const kindOf = picker(random, KINDS, ({ weight }) => weight);
  for (let from = 0; from < count; from += BATCH) {
    const links = Array.from({ length: Math.min(BATCH, count - from) }, (_, row) => {
      const page = `https://www.example.com/landing/${from + row}`;
      return { slug: slugAt(from + row), destination: `${page}?from=bench`, ...kindOf().routing(random, page) };
    });
    await call('POST', '/links/bulk', { links });
  }
}

function rulesOf(random: Random, page: string) {
  return Array.from({ length: 5 + Math.floor(random() * 6) }, (_, at) => {
    const all = {
      platform: some(random, PLATFORMS, 2),
      country: some(random, COUNTRIES, 4),
      language: some(random, LANGUAGES, 2),
      device: some(random, ['mobile', 'tablet', 'desktop'], 2),
      query: [{ name: 'v', value: String(Math.floor(random() * 4)) }, { name: 'beta' }],
      after: '2020-01-01T00:00:00.000Z',
      before: `20${27 + Math.floor(random() * 60)}-01-01T00:00:00.000Z`,
      not: { referrer_host: some(random, REFERRERS, 2) },
    };
    const kept = new Set(some(random, Object.keys(all), 4));
    const when = Object.fromEntries(Object.entries(all).filter(([name]) => kept.has(name)));
    return { name: `rule ${at}`, when, destination: `${page}/${at}` };
  });
}

function splitOf(random: Random, page: string) {
  return Array.from({ length: 2 + Math.floor(random() * 3) }, (_, at) => ({
    name: `variant ${at}`,
    destination: `${page}/variant/${at}`,
    weight: 1 + Math.floor(random() * 99),
  }));
}

function utmOf(random: Random) {
  const utm = { source: 'newsletter', medium: 'email', campaign: `spring sale ${Math.floor(random() * 100)}` };
  return { utm, routing: { forward_query: true } };
}

/** Two at least, `most` at most. */
function some<Value>(random: Random, values: readonly Value[], most: number): Value[] {
  const length = Math.min(values.length, 2 + Math.floor(random() * (most - 1)));
  const first = Math.floor(random() * values.length);
  return Array.from({ length }, (_, at) => values[(first + at) % values.length] as Value);
}
