import { setTimeout as delay, setImmediate as nextMacrotask } from 'node:timers/promises';
import { deleteOldest } from '../db/deleteOldest.ts';
import { groupCommit } from '../db/groupCommit.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { ofStore } from '../db/ofStore.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { CodedError } from '../kernel/errors.ts';
import { withOutcome } from '../kernel/requestOutcome.ts';
import { randomToken } from '../kernel/secrets.ts';
import { IdempotencyRecord } from '../models/IdempotencyRecord.ts';
import { type StoredBody, unpackBody } from './storedBody.ts';

/** A request with an Idempotency-Key: however often it is sent, it takes effect once. */
export interface IdempotentRequest {
  /** The API key that sent it. Idempotency keys are unique for each API key. */
  keyId: string;
  idempotencyKey: string;
  /** A keyed hash of method, path, query and body, which shows a key that is reused for another request. */
  fingerprint: string;
}

/** A response, byte for byte as a repeat gets it. */
export interface StoredResponse {
  status: number;
  contentType: string;
  body: string;
}

/** The right to carry a request out. Work that was done after the claim was lost is rolled back by `saveResponse`. */
export interface IdempotencyClaim extends IdempotentRequest {
  token: string;
}

/** Attempts at a claim: a record that blocks it may be deleted before it can be read. */
const MAX_ATTEMPTS = 3;

/**
 * Claims the right to carry the request out, or returns the stored response. Throws `idempotency_in_progress` and
 * `idempotency_key_reused`. When the process that held a claim has died, the claim is free again after its lease.
 */
export async function claimRequest(
  request: IdempotentRequest,
): Promise<IdempotencyClaim | { response: StoredResponse }> {
  for (let attempt = 1; ; attempt += 1) {
    const claim = { ...request, token: randomToken(12) };
    const { isClaimed } = await insertClaim(claim).catch((error) => {
      // It may have been committed by a store that went away before it said so.
      releaseLater(claim);
      throw error;
    });
    if (isClaimed) return claim;
    const { keyId, idempotencyKey } = request;
    const record = await IdempotencyRecord.findOne({ where: { keyId, idempotencyKey } });
    if (record) return { response: await storedResponse(record, request) };
    if (attempt === MAX_ATTEMPTS) throw inProgress(1);
  }
}

/** A response, and the claim under which it was made. */
interface ClaimedResponse {
  claim: IdempotencyClaim;
  response: StoredResponse;
  stored: StoredBody;
}

/** Responses that wait to be written, by the transaction that writes them. */
const unwritten = new WeakMap<Transaction, { responses: ClaimedResponse[]; written: Promise<Set<string>> }>();

/**
 * Saves the response in the transaction of its effect; one statement writes all responses that a group commit holds.
 * Throws `idempotency_in_progress` when another request has taken the claim over, which rolls the effect back.
 */
export async function saveResponse(claimed: ClaimedResponse, transaction: Transaction): Promise<void> {
  const waiting = unwritten.get(transaction);
  if (waiting) waiting.responses.push(claimed);
  const written = waiting?.written ?? writeSoon(claimed, transaction);
  if (!(await written).has(claimed.claim.token)) throw inProgress(config.idempotencyLeaseSeconds);
}

function writeSoon(first: ClaimedResponse, transaction: Transaction): Promise<Set<string>> {
  const responses = [first];
  const written = nextMacrotask().then(() => {
    unwritten.delete(transaction);
    return writeResponses(responses, transaction);
  });
  unwritten.set(transaction, { responses, written });
  return written;
}

/** Returns the tokens of the claims whose responses were written. */
async function writeResponses(responses: ClaimedResponse[], transaction: Transaction): Promise<Set<string>> {
  const written = await withJsonRows<{ claim: string }>(
    {
      key_id: 'text',
      idempotency_key: 'text',
      token: 'text',
      status: 'integer',
      content_type: 'text',
      body: 'text',
      is_sealed: 'flag',
      is_compressed: 'flag',
    },
    responses.map(({ claim: { keyId, idempotencyKey, token }, response: { status, contentType }, stored }) => [
      keyId,
      idempotencyKey,
      token,
      status,
      contentType,
      stored.body,
      stored.isSealed,
      stored.isCompressed,
    ]),
    `UPDATE idempotency_records AS known SET status = given.status, content_type = given.content_type,
       body = given.body, is_sealed = given.is_sealed, is_compressed = given.is_compressed
     FROM given WHERE known.key_id = given.key_id AND known.idempotency_key = given.idempotency_key
       AND known.claim = given.token AND known.status IS NULL
     RETURNING claim`,
    transaction,
  );
  return new Set(written.map(({ claim }) => claim));
}

/** After a request that had no effect: the next request with this idempotency key may be carried out. */
export async function releaseClaim({ keyId, idempotencyKey, token }: IdempotencyClaim): Promise<void> {
  await inTransaction((transaction) =>
    IdempotencyRecord.destroy({ where: { keyId, idempotencyKey, claim: token, status: null }, transaction }),
  );
}

/** Between two attempts, each of which ends at its first failure: the store may be overwhelmed. */
const RELEASE_MS = 1000;

class UnreleasedClaims {
  /** Claims that could not be released, and when their leases are over, by `performance.now()`. */
  readonly #endsAtMs = new Map<IdempotencyClaim, number>();
  #releasing: Promise<void> | null = null;

  add(claim: IdempotencyClaim): void {
    this.#endsAtMs.set(claim, performance.now() + config.idempotencyLeaseSeconds * 1000);
    this.#releasing ??= this.#release();
  }

  /** Their leases end by themselves. */
  close(): void {
    this.#endsAtMs.clear();
  }

  async #release(): Promise<void> {
    while (this.#endsAtMs.size > 0) {
      await delay(RELEASE_MS, undefined, { ref: false });
      await withOutcome(null, () => this.#releaseEach()).catch(() => {});
    }
    this.#releasing = null;
  }

  async #releaseEach(): Promise<void> {
    for (const [claim, endsAtMs] of this.#endsAtMs) {
      if (performance.now() < endsAtMs) await releaseClaim(claim);
      this.#endsAtMs.delete(claim);
    }
  }
}

const unreleased = ofStore(
  () => new UnreleasedClaims(),
  (claims) => claims.close(),
);

/** Releases a claim as soon as the store lets it; a repeat of the request would otherwise wait for the whole lease. */
export function releaseLater(claim: IdempotencyClaim): void {
  unreleased().add(claim);
}

/** Deletes up to `batch` expired records and returns whether there may be more. A record that is claimed again meanwhile stays. */
export async function purgeIdempotencyRecords(batch: number): Promise<boolean> {
  const values = [sqlTime(clock.now())];
  const over = { table: 'idempotency_records', where: 'expires_at <= $1', values, oldestBy: 'expires_at' };
  return (await deleteOldest({ ...over, batch })) === batch;
}

/** At a start on the embedded store: the process that held these claims has ended. */
export async function releaseOrphanedClaims(): Promise<void> {
  await inTransaction((transaction) => IdempotencyRecord.destroy({ where: { status: null }, transaction }));
}

/** Whether the claim was made; not where another request holds the key. */
const insertClaim = groupCommit(insertClaims);

async function insertClaims(claims: IdempotencyClaim[], transaction: Transaction): Promise<{ isClaimed: boolean }[]> {
  const at = clock.now();
  // Of several requests with one key the first claims it.
  const firsts = new Map(claims.toReversed().map((claim) => [keyOf(claim), claim]));
  const rows = [...firsts]
    // Sorted, because two transactions that claim the same keys in different orders would deadlock.
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { keyId, idempotencyKey, fingerprint, token }]) => [
      keyId,
      idempotencyKey,
      fingerprint,
      token,
      sqlTime(at + config.idempotencyLeaseSeconds * 1000),
      sqlTime(at + config.idempotencySeconds * 1000),
    ]);
  const inserted = await withJsonRows<{ claim: string }>(
    {
      key_id: 'text',
      idempotency_key: 'text',
      fingerprint: 'text',
      claim: 'text',
      leased_until: 'time',
      expires_at: 'time',
    },
    rows,
    `INSERT INTO idempotency_records AS known (key_id, idempotency_key, fingerprint, claim, leased_until, expires_at)
       SELECT key_id, idempotency_key, fingerprint, claim, leased_until, expires_at FROM given WHERE true
       ON CONFLICT (key_id, idempotency_key) DO UPDATE
       SET fingerprint = excluded.fingerprint, claim = excluded.claim, leased_until = excluded.leased_until,
           expires_at = excluded.expires_at, status = NULL, content_type = NULL, body = NULL
       WHERE known.expires_at <= $2 OR (known.status IS NULL AND known.leased_until <= $2)
       RETURNING claim`,
    transaction,
    [sqlTime(at)],
  );
  const tokens = new Set(inserted.map(({ claim }) => claim));
  return claims.map(({ token }) => ({ isClaimed: tokens.has(token) }));
}

function keyOf({ keyId, idempotencyKey }: IdempotentRequest): string {
  return `${keyId} ${idempotencyKey}`;
}

async function storedResponse(record: IdempotencyRecord, { fingerprint }: IdempotentRequest): Promise<StoredResponse> {
  if (record.fingerprint !== fingerprint) {
    throw new CodedError(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another request in the last 24 hours. Use a new key for a new request.',
    );
  }
  if (record.status === null) throw inProgress(Math.ceil((record.leasedUntil.getTime() - clock.now()) / 1000));
  const { isSealed, isCompressed } = record;
  const body = await unpackBody({ body: record.body ?? '', isSealed, isCompressed }, record);
  return { status: record.status, contentType: record.contentType ?? '', body };
}

/** The first request usually ends within a second; the lease runs its full time only when the process has died. */
function inProgress(leaseSeconds: number): CodedError {
  return new CodedError('idempotency_in_progress', 'The first request with this Idempotency-Key is still running.', {
    retryAfterSeconds: Math.min(Math.max(leaseSeconds, 1), 2),
  });
}
