import type { Click } from '../../src/clicks/click.ts';
import { clock } from '../../src/kernel/clock.ts';
import { newClickId } from '../../src/kernel/ids.ts';
import type { BenchLink } from './benchLinks.ts';
import { AGENTS, COUNTRIES, LANGUAGES, REFERRERS, TRAFFIC } from './clickPools.ts';
import { picker, type Random, seededRandom, zipf } from './random.ts';

export interface StreamOptions {
  teamId: string;
  projectId: string;
  /** The most clicked first. */
  links: BenchLink[];
  /** So many clicks from `startMs` to `endMs`; what is asked for beyond comes as often. */
  clicks: number;
  startMs: number;
  endMs: number;
}

/** Clicks in the order of time, hour by hour; cut at whole hours of UTC. The same options give the same figures. */
export type ClickStream = (fromMs: number, toMs: number) => Generator<Click[]>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Clicks by somebody who clicked before on that day. */
const RETURNING = 0.25;

/** What stays the same when somebody clicks again on the same day. */
type Visitor = Pick<
  Click,
  | 'visitor'
  | 'addressHash'
  | 'trafficClass'
  | 'trafficReason'
  | 'country'
  | 'region'
  | 'city'
  | 'platform'
  | 'device'
  | 'browser'
  | 'language'
>;

/** A seeded stream of clicks with the rhythm of days and weeks. Sets the clock to the time of the latest click. */
export function clickStream({ teamId, projectId, links, clicks, startMs, endMs }: StreamOptions): ClickStream {
  let weight = 0;
  for (const hour of hoursBetween(startMs, endMs)) weight += weightOf(hour);
  const density = clicks / weight;
  return function* stream(fromMs, toMs) {
    const random = seededRandom(Math.floor(fromMs / 1000));
    const clickOf = clickMaker(random, { teamId, projectId }, links);
    let nowMs = 0;
    let owed = 0;
    for (const hour of hoursBetween(fromMs, toMs)) {
      // Ids tell the time. Whoever takes the clicks may have set the clock meanwhile.
      clock.use({ now: () => nowMs });
      owed += weightOf(hour) * density;
      const count = Math.round(owed);
      owed -= count;
      const times = Float64Array.from({ length: count }, () =>
        Math.floor(hour.from + random() * (hour.to - hour.from)),
      );
      yield Array.from(times.sort(), (atMs) => {
        nowMs = atMs;
        return clickOf(atMs);
      });
    }
  };
}

interface Hour {
  from: number;
  to: number;
}

function* hoursBetween(fromMs: number, toMs: number): Generator<Hour> {
  for (let from = fromMs; from < toMs; ) {
    const to = Math.min((Math.floor(from / HOUR_MS) + 1) * HOUR_MS, toMs);
    yield { from, to };
    from = to;
  }
}

/** Most in the afternoon, least at night; fewer at weekends. */
function weightOf({ from, to }: Hour): number {
  const time = new Date(from);
  const ofDay = 1 + 0.7 * Math.sin(((time.getUTCHours() - 9) / 24) * 2 * Math.PI);
  const ofWeek = [0.65, 1, 1.05, 1.05, 1, 0.95, 0.7][time.getUTCDay()] as number;
  return (ofDay * ofWeek * (to - from)) / HOUR_MS;
}

function clickMaker(random: Random, owner: { teamId: string; projectId: string }, links: BenchLink[]) {
  const anyLink = picker(random, links, zipf(0.9));
  const anyReferrer = picker(random, REFERRERS, zipf(1.1));
  const visitorOf = visitors(random);
  return (occurredAt: number): Click => {
    const link = anyLink();
    // Most follow the link's own destination, its first.
    const { destination, rule } = (link.targets[Math.floor(random() ** 2 * link.targets.length)] ??
      link.targets[0]) as BenchLink['targets'][number];
    return {
      id: newClickId(),
      osVersion: null,
      deviceModel: null,
      ...owner,
      linkId: link.id,
      domain: link.domain,
      slug: link.slug,
      occurredAt,
      ...visitorOf(occurredAt),
      referrerHost: random() < 0.4 ? null : anyReferrer(),
      destination,
      rule,
      utm: link.utm,
      tagIds: link.tagIds,
    };
  };
}

/** Gives a visitor of the day, a new one or an earlier one. */
function visitors(random: Random): (atMs: number) => Visitor {
  const newVisitor = visitorMaker(random);
  let day = Number.NaN;
  let seen: Visitor[] = [];
  return (atMs) => {
    const today = Math.floor(atMs / DAY_MS);
    if (today !== day) [day, seen] = [today, []];
    if (seen.length > 0 && random() < RETURNING) return seen[Math.floor(random() * seen.length)] as Visitor;
    const visitor = newVisitor();
    seen.push(visitor);
    return visitor;
  };
}

function visitorMaker(random: Random): () => Visitor {
  const anyCountry = picker(random, COUNTRIES, zipf(1));
  const anyCity = new Map(COUNTRIES.map(({ code, cities }) => [code, picker(random, cities, zipf(0.8))]));
  const anyAgent = picker(random, AGENTS, ({ share }) => share);
  const anyBrowser = new Map(AGENTS.map((agent) => [agent, picker(random, agent.browsers, zipf(1.2))]));
  const anyLanguage = picker(random, LANGUAGES, zipf(0.9));
  const anyTraffic = picker(random, TRAFFIC, ({ share }) => share);
  const bytes = Buffer.alloc(16);
  const hash = () => {
    for (let at = 0; at < 16; at += 4) bytes.writeUInt32LE(random() * 4_294_967_296, at);
    return bytes.toString('base64url');
  };
  return () => {
    const country = random() < 0.03 ? null : anyCountry();
    const place = country && country.cities.length > 0 && random() < 0.85 ? anyCity.get(country.code)?.() : null;
    const agent = anyAgent();
    const { trafficClass, trafficReason } = anyTraffic();
    return {
      visitor: hash(),
      addressHash: hash(),
      trafficClass,
      trafficReason,
      country: country?.code ?? null,
      region: place?.region ?? null,
      city: place?.city ?? null,
      platform: agent.platform,
      device: agent.device,
      browser: random() < 0.02 ? null : (anyBrowser.get(agent)?.() ?? null),
      language: random() < 0.05 ? null : anyLanguage(),
    };
  };
}
