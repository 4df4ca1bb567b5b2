import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import { Pool } from 'undici';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { log, WarningThrottle } from '../kernel/log.ts';
import { whileSame } from '../kernel/memoize.ts';
import { registry } from '../kernel/metrics.ts';
import { sha256 } from '../kernel/secrets.ts';
import { type CheckFacts, type Finding, privateHostProblem } from './checks.ts';
import { parseTarget, type ScannedUrl } from './target.ts';

const WEB_RISK: CheckFacts = {
  name: 'web_risk',
  finds: 'sites that Google Web Risk lists as harmful',
  advice: 'Use another site; its owner can ask Google for a review.',
};

/** Web Risk's result for each link's URLs, in order; null if no key is configured. Never rejects. */
export async function checkWithWebRisk(
  sets: ScannedUrl[][],
): Promise<{ finding: Finding | null; isComplete: boolean }[] | null> {
  const webRisk = webRiskProvider();
  if (!webRisk) return null;
  const lookups = sets.map((set) => set.map(({ url }) => lookupUrl(url)));
  const answers = await webRisk.lookUp(
    lookups.flat().filter((url) => url !== null),
    config.webRiskBudgetMilliseconds,
  );
  return sets.map((set, index) => {
    const urls = lookups[index] ?? [];
    const threats = urls.map((url) => (url === null ? [] : answers.get(url)));
    const at = threats.findIndex((found) => found && found.length > 0);
    return { finding: findingAt(set[at], threats[at]), isComplete: threats.every((found) => found !== undefined) };
  });
}

function findingAt(scanned: ScannedUrl | undefined, threats: string[] | undefined): Finding | null {
  if (!scanned || !threats) return null;
  const host = new URL(scanned.url).hostname;
  return { path: scanned.path, check: WEB_RISK, problem: `${host} is known for ${threats.join(', ')}.` };
}

/** The URL without its fragment, which no server sees. Null for app schemes and private hosts, which stay confidential. */
function lookupUrl(text: string): string | null {
  const target = parseTarget(text);
  if (!target?.isWeb || privateHostProblem(target, { allowPrivate: false })) return null;
  target.url.hash = '';
  return target.url.href;
}

const GOOGLE = 'https://webrisk.googleapis.com';

const lookups = new Counter({
  name: 'svc_web_risk_lookups_total',
  help: 'Requests to the Web Risk API, by result (safe, threat or failed).',
  labelNames: ['result'],
  registers: [registry],
});

const warnings = new WarningThrottle((message) => log.warn(message));

/** The Web Risk client for the current settings, with its cache; null without a key. */
const webRiskProvider = whileSame(
  () => JSON.stringify([config.webRiskApiKey, config.webRiskUrl, config.webRiskTimeoutMilliseconds]),
  () => {
    const { webRiskApiKey: apiKey, webRiskUrl, webRiskTimeoutMilliseconds: timeoutMs } = config;
    return apiKey ? new WebRisk({ apiKey, origin: webRiskUrl ?? GOOGLE, timeoutMs, onAnswer }) : null;
  },
  (old) => old?.close(),
);

function onAnswer(result: 'safe' | 'threat' | 'failed', error?: Error): void {
  lookups.inc({ result });
  if (error) warnings.warn('failed', `Web Risk could not be queried (${error.message}); links are scanned again later`);
}

interface WebRiskOptions {
  origin: string;
  apiKey: string;
  timeoutMs: number;
  /** Called after every request with its result. */
  onAnswer(result: 'safe' | 'threat' | 'failed', error?: Error): void;
}

const THREAT_TYPES = ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE'];

/** Concurrent requests: the API allows an account 6,000 a minute. */
const IN_FLIGHT = 20;
const MAX_ANSWER_BYTES = 65_536;
const MAX_CACHED = 20_000;
/** How long a safe result is cached. */
const SAFE_MS = 300_000;
/** How long a threat is cached if the response does not say. */
const THREAT_MS = 300_000;
/** After this many failures in a row requests pause for a while, so that callers do not wait for a service that is down. */
const FAILURES_BEFORE_PAUSE = 5;
const PAUSE_MS = 15_000;

/** Looks URLs up in the Google Web Risk API (`uris:search`). */
class WebRisk {
  readonly #options: WebRiskOptions;
  readonly #pool: Pool;
  readonly #known = new LRUCache<string, { threats: string[]; until: number }>({ max: MAX_CACHED });
  #failuresInARow = 0;
  #pausedUntilMs = 0;

  constructor(options: WebRiskOptions) {
    this.#options = options;
    this.#pool = new Pool(options.origin, { connections: IN_FLIGHT, maxResponseSize: MAX_ANSWER_BYTES });
  }

  /**
   * Returns the threats of each URL, an empty list for a safe one. A URL that could not be looked up within `budgetMs` is
   * missing from the result. Never rejects.
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
    const work = async () => {
      for (let url = open.pop(); url !== undefined; url = open.pop()) {
        const threats = await this.#ask(url, deadlineMs - performance.now());
        if (threats) answers.set(url, threats);
      }
    };
    await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, open.length) }, work));
    return answers;
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  async #ask(url: string, leftMs: number): Promise<string[] | null> {
    const { timeoutMs, onAnswer } = this.#options;
    if (leftMs <= 0 || performance.now() < this.#pausedUntilMs) return null;
    try {
      const { threats, expiresAt } = parseWebRiskResponse(await this.#fetch(url, Math.min(timeoutMs, leftMs)));
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

  /** The key goes into a header, because request URLs end up in logs. */
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
    if (statusCode !== 200) throw new Error(`it answered ${statusCode}`);
    return JSON.parse(text);
  }
}

/** Web Risk's response for a URL: its threats (none: safe), and how long the response is valid. */
interface WebRiskResponse {
  threats: string[];
  /** Milliseconds since the epoch; null if the response does not say. */
  expiresAt: number | null;
}

/** Parses the body of `uris:search`. Throws if it has another form. */
function parseWebRiskResponse(body: unknown): WebRiskResponse {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || 'error' in body) throw nonsense();
  if (!('threat' in body)) return { threats: [], expiresAt: null };
  const { threatTypes, expireTime } = (body.threat ?? {}) as { threatTypes?: unknown; expireTime?: unknown };
  if (!Array.isArray(threatTypes) || threatTypes.length === 0) throw nonsense();
  if (!threatTypes.every((type) => typeof type === 'string')) throw nonsense();
  const expiresAt = typeof expireTime === 'string' ? Date.parse(expireTime) : Number.NaN;
  return { threats: threatTypes, expiresAt: Number.isNaN(expiresAt) ? null : expiresAt };
}

function nonsense(): Error {
  return new Error('the response is not one of Web Risk');
}
