import type { TLSSocket } from 'node:tls';
import { keyedMutex, limitConcurrency } from '../kernel/concurrency.ts';
import { config } from '../kernel/config.ts';
import { literalAddress } from '../kernel/publicAddress.ts';
import { ConnectFailure, type ConnectProblem, openSocket } from '../net/connect.ts';
import { systemResolver } from '../net/dns.ts';
import { type ProbeAnswer, type ProbeFailure, type ProbeOptions, probe, withHostMutex } from '../net/probe.ts';

/** The most hosts that one run probes at the same time. */
const CONCURRENCY = 8;

/** Failures of the host rather than of one URL: the run probes nothing else there. */
const HOST_PROBLEMS = ['dns', 'connect', 'tls', 'blocked_address'];

type ProbeResult = ProbeAnswer | ProbeFailure;

/** When the certificate expires, or why no connection was made, with the error code and message of the system. */
export type SeenCertificate = { endsAt: Date } | { problem: ConnectProblem; code: string; detail: string };

/** The largest share of a run that one probe may take, so that a hanging host is noticed before the run is over. */
const SHARE_OF_RUN = 1 / 3;

/** Ten suffice for every site that browsers reach without complaint; those follow twenty. */
const REDIRECTS = 10;

/** Problems that a GET would have too. */
const SAME_FOR_GET = ['dns', 'connect', 'tls', 'blocked_address', 'bad_redirect'];

/**
 * The probes of one run. Identical probes are sent once, probes of the same host follow each other, and none is sent after
 * `seconds` or once `stop` is aborted.
 */
export class ProbeSession {
  /** The time limit of one probe. */
  readonly timeoutMs: number;
  readonly #signal: AbortSignal;
  readonly #slots = limitConcurrency(CONCURRENCY);
  readonly #answers = new Map<string, Promise<ProbeResult | null>>();
  readonly #inTurn = keyedMutex();
  readonly #dead = new Map<string, ProbeFailure>();

  constructor(seconds: number, stop: AbortSignal) {
    this.timeoutMs = Math.ceil(Math.min(config.probeTimeoutSeconds, seconds * SHARE_OF_RUN) * 1000);
    this.#signal = AbortSignal.any([stop, AbortSignal.timeout(Math.ceil(seconds * 1000))]);
  }

  /** The answer of a URL; null if the run ended first. */
  probe(url: string, options: Pick<ProbeOptions, 'method' | 'maxRedirects' | 'maxBytes' | 'timeoutMs'> = {}) {
    const key = JSON.stringify([url, options]);
    const known = this.#answers.get(key);
    if (known) return known;
    const { host } = new URL(url);
    const answer = this.#oneAtATime(host, async () => {
      const dead = this.#dead.get(host);
      if (dead) return { ...dead, url };
      const result = await probe(url, {
        keepsCookies: true,
        timeoutMs: this.timeoutMs,
        ...options,
        signal: this.#signal,
      });
      if ('problem' in result && HOST_PROBLEMS.includes(result.problem))
        this.#dead.set(new URL(result.url).host, result);
      return result;
    });
    this.#answers.set(key, answer);
    return answer;
  }

  /** The certificate that a host presents; null if the run ended first. */
  certificateOf(origin: string): Promise<SeenCertificate | null> {
    const limit = AbortSignal.timeout(this.timeoutMs);
    return this.#oneAtATime(new URL(origin).host, () =>
      readCertificate(origin, AbortSignal.any([this.#signal, limit])),
    );
  }

  /** Whether the run has ended. */
  get isOver(): boolean {
    return this.#signal.aborted;
  }

  #oneAtATime<Result>(host: string, run: () => Promise<Result>): Promise<Result | null> {
    const unlessOver = async () => {
      if (this.isOver) return null;
      const result = await run();
      // An aborted probe says nothing about its host.
      return this.isOver ? null : result;
    };
    const next = this.#inTurn(host, () => this.#slots(unlessOver) as Promise<Result | null>);
    return Promise.race([next, this.#over()]);
  }

  #over(): Promise<null> {
    return new Promise((resolve) => {
      if (this.isOver) resolve(null);
      else this.#signal.addEventListener('abort', () => resolve(null), { once: true });
    });
  }
}

/**
 * Probes a web page with HEAD, following up to ten redirects. Retries with GET if HEAD fails or is refused, because many
 * sites do not support it. Null if the run ended first.
 */
export async function probePage(url: string, probes: ProbeSession): Promise<ProbeResult | null> {
  const head = await probes.probe(url, { method: 'HEAD', maxRedirects: REDIRECTS, timeoutMs: probes.timeoutMs / 2 });
  if (head === null) return null;
  const isClear = 'problem' in head ? SAME_FOR_GET.includes(head.problem) : head.status < 400;
  return isClear ? head : probes.probe(url, { method: 'GET', maxRedirects: REDIRECTS, maxBytes: 1 });
}

/** Connects over TLS with a browser's checks (chain, name, validity) and reads the certificate. Throws for internal errors. */
async function readCertificate(origin: string, signal: AbortSignal): Promise<SeenCertificate> {
  const { protocol, hostname, port, host } = new URL(origin);
  const target = { protocol, hostname: literalAddress(hostname) ?? hostname, port: Number(port || 443) };
  const options = { resolver: systemResolver, allowPrivate: config.allowPrivateTargets, signal };
  try {
    const socket = (await withHostMutex(host, () => openSocket(target, options))) as TLSSocket;
    const endsAt = new Date(socket.getPeerCertificate().valid_to);
    socket.destroy();
    return { endsAt };
  } catch (error) {
    if (!(error instanceof ConnectFailure)) throw error;
    const cause = error.cause as NodeJS.ErrnoException | undefined;
    return { problem: error.kind, code: String(cause?.code ?? ''), detail: String(cause?.message ?? cause) };
  }
}
