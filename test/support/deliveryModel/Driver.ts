import { randomUUID } from 'node:crypto';
import type { KeyPrincipal } from '../../../src/access/principal.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import type { EventType } from '../../../src/events/catalogue.ts';
import { recordEvent } from '../../../src/events/recordEvent.ts';
import { clock, now } from '../../../src/kernel/clock.ts';
import { config } from '../../../src/kernel/config.ts';
import type { AttemptResult } from '../../../src/webhooks/decideOutcome.ts';
import { makeAttempt } from '../../../src/webhooks/makeAttempt.ts';
import { sampleEvent } from '../../../src/webhooks/samples.ts';
import type { Sender, SendRequest } from '../../../src/webhooks/send.ts';
import { createWebhook } from '../../../src/webhooks/webhookService.ts';
import type { FinishedAttempt } from '../../../src/webhooks/worker/applyAttempts.ts';
import type { ClaimedDelivery } from '../../../src/webhooks/worker/claimDeliveries.ts';
import { type SyncResult, syncWorker, type WorkerState } from '../../../src/webhooks/worker/syncWorker.ts';
import { makeProject } from '../clicks.ts';
import { BUSY_SECONDS, type Outcome } from './afterAttempt.ts';
import type { ModelClaim, ModelSettings } from './modelTypes.ts';

/** An attempt that was begun and whose end is up to the test. */
export interface InFlight {
  claim: ModelClaim;
  at: Date;
  end(outcome: Outcome): Promise<FinishedAttempt>;
}

/** What a lane of ours has in hand: it sends when it is told to, and not by itself. */
export interface DrivenWorker {
  webhookId: string;
  word: string;
  inFlight: InFlight[];
  finished: { real: FinishedAttempt; claim: ModelClaim; outcome: Outcome }[];
}

export const START_MS = Date.parse('2026-11-01T12:00:00.000Z');

/** The real functions of the product on the open store, with a clock and a receiver that the test moves. */
export class Driver {
  principal!: KeyPrincipal;
  /** Of the last request; what the receiver saw. */
  lastRequest: SendRequest | null = null;
  readonly workers = new Map<string, DrivenWorker>();
  /** Of processes that were killed with attempts in flight. */
  readonly dead: DrivenWorker[] = [];
  readonly #ends: ((outcome: Outcome) => void)[] = [];
  readonly #random = Math.random;

  readonly #sender: Sender = {
    send: (request) => {
      this.lastRequest = request;
      return new Promise((resolve, reject) => {
        this.#ends.push((outcome) => {
          if (outcome === 'our_fault') reject(new Error('no file descriptor is left'));
          else resolve(RESULTS[outcome]);
        });
      });
    },
    close: async () => {},
  };

  /** An empty store, a project and `hooks` webhooks in it; `seed` decides whatever the product leaves to chance. */
  async start(settings: ModelSettings, hooks: number, seed: number) {
    for (const table of ['alerts', 'events', 'replays', 'attempts', 'deliveries', 'webhooks'])
      await inTransaction((transaction) => queryRaw(`DELETE FROM ${table}`, [], transaction));
    config.webhookRetrySeconds = [...settings.gaps];
    config.webhookCircuitAfter = settings.circuitAfter;
    config.webhookDisableAfter = settings.disableAfter;
    Math.random = seeded(seed);
    this.setClock(START_MS);
    const { id: projectId, teamId } = await makeProject();
    const scopes = new Set(['webhooks:read', 'webhooks:write'] as const);
    this.principal = { kind: 'key', keyId: 'key_1', keyKind: 'secret', projectId, teamId, scopes };
    const urls = Array.from({ length: hooks }, (_, at) => `https://1.1.1.1/${at}`);
    return Promise.all(urls.map((url) => createWebhook(this.principal, { url, projectId, eventTypes: TYPES })));
  }

  stop(): void {
    clock.reset();
    Math.random = this.#random;
  }

  setClock(nowMs: number): void {
    clock.use({ now: () => nowMs });
  }

  async raise(): Promise<string> {
    const { projectId, teamId } = this.principal;
    const event = { ...sampleEvent('link.created', { projectId }), teamId, projectId };
    return (await inTransaction((transaction) => recordEvent(transaction, event))).id;
  }

  lane(webhookId: string): DrivenWorker {
    const lane = this.workers.get(webhookId) ?? { webhookId, word: randomUUID(), inFlight: [], finished: [] };
    this.workers.set(webhookId, lane);
    return lane;
  }

  /** A turn of that lane with all that has ended, which is forgotten with it. */
  async sync(lane: DrivenWorker, more: Pick<WorkerState, 'returned' | 'wanted' | 'release'>): Promise<SyncResult> {
    const { webhookId, word, inFlight } = lane;
    const finished = lane.finished.splice(0).map(({ real }) => real);
    return syncWorker({ ...more, webhookId, leaseId: word, finished, inFlight: heldIn(inFlight) });
  }

  /** Begins an attempt and leaves it in flight. */
  send(
    lane: DrivenWorker,
    webhook: NonNullable<SyncResult['webhook']>,
    claimed: ClaimedDelivery,
    claim: ModelClaim,
  ): SendRequest {
    const at = now();
    const result = makeAttempt(claimed, webhook, this.#sender);
    const end = this.#ends.pop();
    if (!end || !this.lastRequest) throw new Error('Nothing was sent');
    lane.inFlight.push({
      claim,
      at,
      async end(outcome) {
        end(outcome);
        return { delivery: claimed, at, result: await result };
      },
    });
    return this.lastRequest;
  }
}

/** Attempts that an open circuit would hold. */
export function heldIn(inFlight: InFlight[]): number {
  return inFlight.filter(({ claim }) => claim.isHeld).length;
}

const TYPES: EventType[] = ['link.created', 'alert.created'];

const failed: AttemptResult = {
  statusCode: 500,
  responseHeaders: { 'content-type': 'text/plain' },
  responseBody: 'Oh',
  error: 'status',
  durationMs: 3,
  retryAfterSeconds: null,
};

const RESULTS: Record<Exclude<Outcome, 'our_fault'>, AttemptResult> = {
  ok: { ...failed, statusCode: 204, responseBody: '', error: null },
  fails: failed,
  hangs: { ...failed, statusCode: null, responseHeaders: null, responseBody: null, error: 'timeout' },
  gone: { ...failed, statusCode: 410 },
  busy: { ...failed, statusCode: 503, retryAfterSeconds: BUSY_SECONDS },
};

/** As `Math.random`, and the same numbers for the same seed (Mulberry32). */
function seeded(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
