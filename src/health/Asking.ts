import { atMost } from '../kernel/atMost.ts';
import { config } from '../kernel/config.ts';
import { type ProbeAnswer, type ProbeFailure, type ProbeOptions, probe } from '../net/probe.ts';
import { readCertificate, type SeenCertificate } from './readCertificate.ts';

/** Hosts that one run asks at once. */
const AT_ONCE = 8;

/** These say something of the host and not of the one URL: nothing else on it is asked in the same run. */
const OF_HOST = ['dns', 'connect', 'tls', 'blocked_address'];

type Asked = ProbeAnswer | ProbeFailure;

/** Of the time of a run one question takes no more, so that a host that hangs is found out before it is over. */
const SHARE_OF_RUN = 1 / 3;

/**
 * What one run asks of the outside world: each question once, one at a time for each host, and none after `seconds` or
 * when `stop` says so.
 */
export class Asking {
  /** For one question. */
  readonly timeoutMs: number;
  readonly #signal: AbortSignal;
  readonly #slots = atMost(AT_ONCE);
  readonly #answers = new Map<string, Promise<Asked | null>>();
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #dead = new Map<string, ProbeFailure>();

  constructor(seconds: number, stop: AbortSignal) {
    this.timeoutMs = Math.ceil(Math.min(config.probeTimeoutSeconds, seconds * SHARE_OF_RUN) * 1000);
    this.#signal = AbortSignal.any([stop, AbortSignal.timeout(Math.ceil(seconds * 1000))]);
  }

  /** What a URL answers; null when time was up before. */
  ask(url: string, options: Pick<ProbeOptions, 'method' | 'maxRedirects' | 'maxBytes' | 'timeoutMs'> = {}) {
    const question = JSON.stringify([url, options]);
    const known = this.#answers.get(question);
    if (known) return known;
    const { host } = new URL(url);
    const answer = this.#inTurn(host, async () => {
      const dead = this.#dead.get(host);
      if (dead) return { ...dead, url };
      const asked = await probe(url, { timeoutMs: this.timeoutMs, ...options, signal: this.#signal });
      if ('problem' in asked && OF_HOST.includes(asked.problem)) this.#dead.set(new URL(asked.url).host, asked);
      return asked;
    });
    this.#answers.set(question, answer);
    return answer;
  }

  /** The certificate that a host shows, as connecting to it finds it; null when time was up before. */
  certificateOf(origin: string): Promise<SeenCertificate | null> {
    const limit = AbortSignal.timeout(this.timeoutMs);
    return this.#inTurn(new URL(origin).host, () => readCertificate(origin, AbortSignal.any([this.#signal, limit])));
  }

  /** Whether no time is left. */
  get isOver(): boolean {
    return this.#signal.aborted;
  }

  #inTurn<Result>(host: string, ask: () => Promise<Result>): Promise<Result | null> {
    const unlessOver = async () => {
      if (this.isOver) return null;
      const result = await ask();
      // What was broken off says nothing of whom we asked.
      return this.isOver ? null : result;
    };
    const before = this.#turns.get(host) ?? Promise.resolve();
    const mine = before.catch(() => {}).then(() => this.#slots(unlessOver) as Promise<Result | null>);
    this.#turns.set(host, mine);
    return Promise.race([mine, this.#over()]);
  }

  #over(): Promise<null> {
    return new Promise((resolve) => {
      if (this.isOver) resolve(null);
      else this.#signal.addEventListener('abort', () => resolve(null), { once: true });
    });
  }
}
