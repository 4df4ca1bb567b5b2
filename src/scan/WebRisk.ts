import { LRUCache } from 'lru-cache';
import { Pool } from 'undici';
import { clock } from '../kernel/clock.ts';
import { sha256 } from '../kernel/secrets.ts';
import { readWebRiskAnswer } from './webRiskAnswer.ts';

export interface WebRiskOptions {
  origin: string;
  apiKey: string;
  timeoutMs: number;
  /** Told of every question: what came of it. */
  onAnswer(result: 'safe' | 'threat' | 'failed', error?: Error): void;
}

const THREAT_TYPES = ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE'];

/** Questions in flight at once: the API lets an account ask 6,000 times a minute. */
const IN_FLIGHT = 20;
const MAX_ANSWER_BYTES = 65_536;
const REMEMBERED = 20_000;
/** How long a URL that was found safe is not asked about again. */
const SAFE_MS = 300_000;
/** How long a threat is believed when the answer does not say. */
const THREAT_MS = 300_000;
/** After so many failures in a row nothing is asked for a while: nobody waits for a service that is down. */
const FAILURES_BEFORE_PAUSE = 5;
const PAUSE_MS = 15_000;

/** Looks URLs up in the Google Web Risk API (`uris:search`). */
export class WebRisk {
  readonly #options: WebRiskOptions;
  readonly #pool: Pool;
  readonly #known = new LRUCache<string, { threats: string[]; until: number }>({ max: REMEMBERED });
  #failuresInARow = 0;
  #pausedUntilMs = 0;

  constructor(options: WebRiskOptions) {
    this.#options = options;
    this.#pool = new Pool(options.origin, { connections: IN_FLIGHT, maxResponseSize: MAX_ANSWER_BYTES });
  }

  /**
   * The threats of each URL, empty for a safe one. A URL that could not be asked about in time is not in the answer.
   * Never rejects.
   */
  async lookUp(urls: Iterable<string>, budgetMs: number): Promise<Map<string, string[]>> {
    const answers = new Map<string, string[]>();
    const open: string[] = [];
    for (const url of new Set(urls)) {
      const known = this.#known.get(sha256(url));
      if (known && clock.now() < known.until) answers.set(url, known.threats);
      else open.push(url);
    }
    const deadlineMs = performance.now() + budgetMs;
    const askInTurn = async () => {
      for (let url = open.pop(); url !== undefined; url = open.pop()) {
        const threats = await this.#ask(url, deadlineMs - performance.now());
        if (threats) answers.set(url, threats);
      }
    };
    await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, open.length) }, askInTurn));
    return answers;
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  async #ask(url: string, leftMs: number): Promise<string[] | null> {
    const { timeoutMs, onAnswer } = this.#options;
    if (leftMs <= 0 || performance.now() < this.#pausedUntilMs) return null;
    try {
      const { threats, expiresAt } = readWebRiskAnswer(await this.#fetch(url, Math.min(timeoutMs, leftMs)));
      const until = threats.length === 0 ? clock.now() + SAFE_MS : (expiresAt ?? clock.now() + THREAT_MS);
      this.#known.set(sha256(url), { threats, until });
      this.#failuresInARow = 0;
      onAnswer(threats.length === 0 ? 'safe' : 'threat');
      return threats;
    } catch (error) {
      this.#failuresInARow += 1;
      if (this.#failuresInARow >= FAILURES_BEFORE_PAUSE) this.#pausedUntilMs = performance.now() + PAUSE_MS;
      onAnswer('failed', error as Error);
      return null;
    }
  }

  /** The key goes in a header: addresses of requests end up in logs. */
  async #fetch(url: string, timeoutMs: number): Promise<unknown> {
    const query = new URLSearchParams({ uri: url });
    for (const type of THREAT_TYPES) query.append('threatTypes', type);
    const { statusCode, body } = await this.#pool.request({
      method: 'GET',
      path: `/v1/uris:search?${query}`,
      headers: { 'X-Goog-Api-Key': this.#options.apiKey, Accept: 'application/json' },
      signal: AbortSignal.timeout(Math.ceil(timeoutMs)),
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`it answers ${statusCode}`);
    return JSON.parse(text);
  }
}
