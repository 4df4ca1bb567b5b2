import { askClicks } from './askClicks.ts';
import type { Installation } from './Installation.ts';
import type { PostgresServer } from './PostgresServer.ts';
import { WAYS } from './Receiver.ts';

/** What became of requests of one kind. */
class Outcomes {
  answered = 0;
  readonly failures = new Map<string, number>();
  /** The longest time between two answers while there was load, in milliseconds. */
  longestGapMs = 0;
  /** The longest time from the first attempt to the answer, in milliseconds. */
  slowestMs = 0;
  #lastAt = performance.now();
  #hasEnded = false;

  succeed(beganAt: number): void {
    const now = performance.now();
    this.answered += 1;
    this.slowestMs = Math.max(this.slowestMs, now - beganAt);
    if (!this.#hasEnded) this.longestGapMs = Math.max(this.longestGapMs, now - this.#lastAt);
    this.#lastAt = now;
  }

  /** From now on there are only the last answers. */
  end(): void {
    this.#hasEnded = true;
  }

  fail(kind: string): void {
    this.failures.set(kind, (this.failures.get(kind) ?? 0) + 1);
  }

  get failed(): number {
    return [...this.failures.values()].reduce((sum, count) => sum + count, 0);
  }
}

/** What the product has of a play, beside what it has answered. Counts of clicks, links or events. */
export interface Comparison {
  /** Answered, and not to be found: by where it is missing. */
  lost: Record<string, number>;
  /** There more than once: by where. */
  twice: Record<string, number>;
  /** Stored without an answer: the asker was cut off from it. */
  unanswered: number;
}

/** What was answered with success in one play: kept here, outside of the product, and then compared with what it has. */
export class Ledger {
  readonly play: string;
  readonly redirects = new Outcomes();
  readonly creations = new Outcomes();
  /** Links whose creation was never answered with success. */
  givenUp = 0;
  readonly #clicks = new Set<number>();
  readonly #links = new Map<number, string>();
  #lastClick = 0;
  #lastLink = 0;

  constructor(play: string) {
    this.play = play;
  }

  nextClick(): number {
    this.#lastClick += 1;
    return this.#lastClick;
  }

  nextLink(): number {
    this.#lastLink += 1;
    return this.#lastLink;
  }

  /** By which a click is found again. */
  referrerOf(number: number): string {
    return `n${number}.${this.play.toLowerCase()}.example`;
  }

  /** By which a link is found again. */
  destinationOf(number: number): string {
    return `https://www.example.com/${this.play}/${number}`;
  }

  /** `beganAt`: by `performance.now()`, when it was first asked for. */
  clickAnswered(number: number, beganAt: number): void {
    this.#clicks.add(number);
    this.redirects.succeed(beganAt);
  }

  clickFailed(kind: string): void {
    this.redirects.fail(kind);
  }

  linkAnswered(number: number, id: string, beganAt: number): void {
    this.#links.set(number, id);
    this.creations.succeed(beganAt);
  }

  linkFailed(kind: string): void {
    this.creations.fail(kind);
  }

  linkGivenUp(): void {
    this.givenUp += 1;
  }

  loadEnded(): void {
    this.redirects.end();
    this.creations.end();
  }

  async compare({ store, receiver, clickHouse }: Installation): Promise<Comparison> {
    const suffix = `.${this.play.toLowerCase()}.example`;
    const clicks = clickHouse
      ? countsOf(await askClicks(clickHouse.url, CLICKS_THERE, `n%${suffix}`))
      : await countsBy(store, CLICKS, `n%${suffix}`);
    const clickEvents = await countsBy(store, CLICK_EVENTS, `n%${suffix}`);
    const links = await countsBy(store, LINKS, `https://www.example.com/${this.play}/%`);
    const linkEvents = await countsBy(store, LINK_EVENTS, `https://www.example.com/${this.play}/%`);
    const ids = await countsBy(store, LINK_IDS, `https://www.example.com/${this.play}/%`);
    const referrers = [...this.#clicks].map((number) => this.referrerOf(number));
    const destinations = [...this.#links.keys()].map((number) => this.destinationOf(number));
    const lost: Record<string, number> = {
      clicks: missing(referrers, clicks),
      links: missing(destinations, links) + missing([...this.#links.values()], ids),
      'events of clicks': missing(clicks.keys(), clickEvents),
      'events of links': missing(links.keys(), linkEvents),
    };
    const twice: Record<string, number> = {
      clicks: repeated(clicks),
      links: repeated(links),
      'events of clicks': repeated(clickEvents),
      'events of links': repeated(linkEvents),
    };
    for (const way of WAYS) {
      const told = new Map([...receiver.told[way]].map(([subject, events]) => [subject, events.size]));
      const subjects = [...referrers, ...clicks.keys(), ...ids.keys(), ...this.#links.values()];
      lost[`webhook (${way})`] = missing(new Set(subjects), told);
      const ours = [...told].filter(([subject]) => subject.endsWith(suffix) || ids.has(subject));
      twice[`webhook (${way})`] = repeated(new Map(ours));
    }
    return { lost, twice, unanswered: extra(clicks, referrers) + extra(links, destinations) };
  }
}

const CLICKS = 'SELECT referrer_host AS name, COUNT(*) AS count FROM clicks WHERE referrer_host LIKE $1 GROUP BY 1';
const CLICKS_THERE = `SELECT referrer_host AS name, count() AS count FROM clicks FINAL
  WHERE referrer_host LIKE {value:String} GROUP BY referrer_host`;
const LINKS = 'SELECT destination AS name, COUNT(*) AS count FROM links WHERE destination LIKE $1 GROUP BY 1';
const LINK_IDS = 'SELECT id AS name, 1 AS count FROM links WHERE destination LIKE $1';
const CLICK_EVENTS = `SELECT data::jsonb -> 'click' ->> 'referrer_host' AS name, COUNT(*) AS count FROM events
  WHERE type = 'link.clicked' AND data::jsonb -> 'click' ->> 'referrer_host' LIKE $1 GROUP BY 1`;
const LINK_EVENTS = `SELECT data::jsonb -> 'link' ->> 'destination' AS name, COUNT(*) AS count FROM events
  WHERE type = 'link.created' AND data::jsonb -> 'link' ->> 'destination' LIKE $1 GROUP BY 1`;

async function countsBy(store: PostgresServer, sql: string, pattern: string): Promise<Map<string, number>> {
  return countsOf(await store.ask(sql, [pattern]));
}

function countsOf(rows: readonly { name: string; count: number | string }[]): Map<string, number> {
  return new Map(rows.map(({ name, count }) => [name, Number(count)]));
}

function missing(wanted: Iterable<string>, there: ReadonlyMap<string, number>): number {
  let count = 0;
  for (const name of wanted) if (!there.has(name)) count += 1;
  return count;
}

function repeated(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].filter((count) => count > 1).length;
}

function extra(there: ReadonlyMap<string, number>, wanted: readonly string[]): number {
  const known = new Set(wanted);
  return [...there.keys()].filter((name) => !known.has(name)).length;
}
