import type { Resolver } from '../../src/net/dns.ts';
import type { AttemptResult } from '../../src/webhooks/decideOutcome.ts';
import { createSender, type Sender } from '../../src/webhooks/send.ts';

export interface TestSenderOptions {
  timeoutMs?: number;
  allowPrivate?: boolean;
  resolver?: Resolver;
  /** Whether pauses of this process are heeded. They are not, so that a machine with much to do changes no result. */
  heedsPauses?: boolean;
}

const NO_PAUSES = { hasPausedSince: () => false, close() {} };

export const sentBody = JSON.stringify({ id: 'evt_1', title: 'Frühling ☀' });

/** Senders that all end with `close`; private addresses are allowed unless said otherwise. */
export class Senders {
  readonly #made: Sender[] = [];

  make(options: TestSenderOptions = {}): Sender {
    const { timeoutMs = 2000, allowPrivate = true, heedsPauses = false, ...others } = options;
    const pauses = heedsPauses ? {} : { pauses: NO_PAUSES };
    const sender = createSender({ timeoutMs: () => timeoutMs, allowPrivate: () => allowPrivate, ...pauses, ...others });
    this.#made.push(sender);
    return sender;
  }

  /** One attempt by a sender of its own, to a URL or to a port of 127.0.0.1. */
  post(to: string | number, options: TestSenderOptions = {}): Promise<AttemptResult> {
    return this.make(options).send(requestTo(to));
  }

  async close(): Promise<void> {
    await Promise.all(this.#made.splice(0).map((sender) => sender.close()));
  }
}

export function requestTo(to: string | number) {
  return {
    url: typeof to === 'number' ? `http://127.0.0.1:${to}/in?x=1` : to,
    headers: { 'Content-Type': 'application/json', 'SVC-Event-Id': 'evt_1' },
    body: sentBody,
  };
}

/** A resolver that knows one answer. */
export function resolvingTo(...addresses: string[]): Resolver {
  return async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

export const hangingResolver: Resolver = () => new Promise(() => {});

/** A resolver that fails with a code of the system. */
export function failingWith(code: string): Resolver {
  return () => Promise.reject(Object.assign(new Error(code), { code }));
}
