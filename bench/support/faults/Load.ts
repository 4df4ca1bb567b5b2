import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Customers } from './Customers.ts';
import type { Ledger } from './Ledger.ts';

export interface Rates {
  /** Links followed a second. */
  redirects: number;
  /** Links created a second. */
  links: number;
}

const TICK_MS = 10;
/** After an answer that may be repeated, and that does not say after how long. */
const RETRY_MS = 1000;
/** A program that gives up after this. */
const GIVE_UP_MS = 180_000;
/** Links that are followed from the beginning. */
const KNOWN = 20;
/** Of so many clicks, one is the first on a link that was just created. */
const LATEST = 50;

/**
 * People who follow links at a steady rate, whether answers come or not, and a program that creates links and repeats a request
 * with its Idempotency-Key until it is answered. What was answered goes into the ledger.
 */
export class Load {
  readonly #customers: Customers;
  readonly #ledger: Ledger;
  readonly #rates: Rates;
  readonly #slugs: string[] = [];
  readonly #fresh: string[] = [];
  readonly #under = new Set<Promise<void>>();
  #ticker: NodeJS.Timeout | undefined;

  constructor(customers: Customers, ledger: Ledger, rates: Rates) {
    this.#customers = customers;
    this.#ledger = ledger;
    this.#rates = rates;
  }

  /** Makes the first links and begins. */
  async start(): Promise<void> {
    await Promise.all(Array.from({ length: KNOWN }, () => this.#create()));
    const startedAt = performance.now();
    let [followed, created] = [0, 0];
    this.#ticker = setInterval(() => {
      const seconds = (performance.now() - startedAt) / 1000;
      for (; followed < seconds * this.#rates.redirects; followed += 1) this.#begin(this.#follow());
      for (; created < seconds * this.#rates.links; created += 1) this.#begin(this.#create());
    }, TICK_MS);
  }

  /** Ends it, and waits for what is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#ticker);
    this.#ledger.loadEnded();
    while (this.#under.size > 0) await Promise.all(this.#under);
  }

  #begin(work: Promise<void>): void {
    this.#under.add(work);
    void work.finally(() => this.#under.delete(work));
  }

  async #follow(): Promise<void> {
    const number = this.#ledger.nextClick();
    const slug = this.#fresh.shift() ?? this.#slugs[(number * 7919) % Math.min(this.#slugs.length, KNOWN + LATEST)];
    const referrer = this.#ledger.referrerOf(number);
    const beganAt = performance.now();
    const answer = await this.#customers.follow(String(slug), { referrer, address: addressOf(number) });
    if (answer.status === 302) this.#ledger.clickAnswered(number, beganAt);
    else this.#ledger.clickFailed(answer.kind);
  }

  async #create(): Promise<void> {
    const number = this.#ledger.nextLink();
    const key = randomUUID();
    const body = { destination: this.#ledger.destinationOf(number) };
    const beganAt = performance.now();
    while (performance.now() < beganAt + GIVE_UP_MS) {
      const answer = await this.#customers.ask('POST', '/links', { body, key });
      if (answer.status === 201) {
        const { id, slug } = JSON.parse(answer.body);
        this.#ledger.linkAnswered(number, id, beganAt);
        this.#slugs.push(slug);
        this.#fresh.push(slug);
        return;
      }
      this.#ledger.linkFailed(answer.kind);
      if (!isWorthRepeating(answer.status)) break;
      await delay(Number(answer.headers['retry-after'] ?? 0) * 1000 || RETRY_MS);
    }
    this.#ledger.linkGivenUp();
  }
}

/** As the documentation of the clients says: no answer, too many requests, a first one under way, and faults of the server. */
function isWorthRepeating(status: number): boolean {
  return status === 0 || status === 429 || status === 409 || status >= 500;
}

/** Addresses of 198.18.0.0/15, which nobody has: each person follows one link. */
function addressOf(number: number): string {
  return `198.${18 + ((number >> 16) & 1)}.${(number >> 8) & 255}.${number & 255}`;
}
