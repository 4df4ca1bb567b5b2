import { setImmediate as nextTurn } from 'node:timers/promises';
import { deleteSome } from '../../db/deleteSome.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { sqlTime, withJsonRows } from '../../db/jsonRows.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { together } from '../../db/together.ts';
import { clock } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { CodedError } from '../../kernel/errors.ts';
import { randomToken } from '../../kernel/secrets.ts';
import { IdempotencyRecord } from '../../models/IdempotencyRecord.ts';
import { type StoredBody, unpackBody } from './storedBody.ts';

/** A request that must have one effect. `fingerprint` stands for its method, path, query and body. */
export interface Question {
  keyId: string;
  idempotencyKey: string;
  fingerprint: string;
}

/** What was or will be answered, byte by byte. */
export interface Answer {
  status: number;
  contentType: string;
  body: string;
}

/** The right to act on a question. Whoever acts after losing it is rolled back by `keepAnswer`. */
export interface Claim extends Question {
  claim: string;
}

/** How often a claim is tried again that met a record in the moment of its deletion. */
const TRIES = 3;

/**
 * Takes the right to act, or gives the stored answer. Throws `idempotency_in_progress` and `idempotency_key_reused`.
 * A question whose process died can be taken when its lease is over.
 */
export async function takeClaim(question: Question): Promise<Claim | { answer: Answer }> {
  for (let attempt = 1; ; attempt += 1) {
    const { claim } = await insertClaim(question);
    if (claim) return { ...question, claim };
    const { keyId, idempotencyKey } = question;
    const found = await IdempotencyRecord.findOne({ where: { keyId, idempotencyKey } });
    if (found) return { answer: await storedAnswer(found, question) };
    if (attempt === TRIES) throw inProgress(1);
  }
}

/** An answer and the claim that it was found under. */
interface KeptAnswer {
  claim: Claim;
  answer: Answer;
  stored: StoredBody;
}

/** Answers that wait to be written in a transaction. */
const unwritten = new WeakMap<Transaction, { answers: KeptAnswer[]; written: Promise<Set<string>> }>();

/**
 * Adds the answer to the transaction of its effect; what comes at the same time is written at once. Throws when somebody
 * else has taken the claim meanwhile.
 */
export async function keepAnswer(kept: KeptAnswer, transaction: Transaction): Promise<void> {
  const waiting = unwritten.get(transaction);
  if (waiting) waiting.answers.push(kept);
  const written = waiting?.written ?? writeSoon(kept, transaction);
  if (!(await written).has(kept.claim.claim)) throw inProgress(config.idempotencyLeaseSeconds);
}

function writeSoon(first: KeptAnswer, transaction: Transaction): Promise<Set<string>> {
  const answers = [first];
  const written = nextTurn().then(() => {
    unwritten.delete(transaction);
    return writeAnswers(answers, transaction);
  });
  unwritten.set(transaction, { answers, written });
  return written;
}

/** Gives the tokens of the claims whose answers were written. */
async function writeAnswers(answers: KeptAnswer[], transaction: Transaction): Promise<Set<string>> {
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
    answers.map(({ claim: { keyId, idempotencyKey, claim }, answer: { status, contentType }, stored }) => [
      keyId,
      idempotencyKey,
      claim,
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

/** Nothing was done: the next request with this key may act. */
export async function giveUp({ keyId, idempotencyKey, claim }: Claim): Promise<void> {
  await inTransaction((transaction) =>
    IdempotencyRecord.destroy({ where: { keyId, idempotencyKey, claim, status: null }, transaction }),
  );
}

/** Deletes some records whose day is over, and gives whether there may be more. One that is claimed anew meanwhile stays. */
export async function purgeAnswers(batch: number): Promise<boolean> {
  const values = [sqlTime(clock.now())];
  const over = { table: 'idempotency_records', where: 'expires_at <= $1', values, oldestBy: 'expires_at' };
  return (await deleteSome({ ...over, batch })) === batch;
}

/** After a start on the embedded store: whoever was at work is dead. */
export async function freeClaimsOfDeadProcess(): Promise<void> {
  await inTransaction((transaction) => IdempotencyRecord.destroy({ where: { status: null }, transaction }));
}

/** Gives the token of the claim, null where somebody else has claimed the key. */
const insertClaim = together(insertClaims);

async function insertClaims(questions: Question[], transaction: Transaction): Promise<{ claim: string | null }[]> {
  const at = clock.now();
  const claims = new Map<string, string>();
  const claimants = questions.map((question) => {
    const name = nameOf(question);
    // Of twins the first claims the key.
    const claim = claims.has(name) ? null : randomToken(12);
    if (claim) claims.set(name, claim);
    return { question, name, claim };
  });
  const rows = claimants
    .filter(({ claim }) => claim !== null)
    // In one order everywhere: two transactions that claim the same keys would wait for each other.
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ question: { keyId, idempotencyKey, fingerprint }, claim }) => [
      keyId,
      idempotencyKey,
      fingerprint,
      claim,
      sqlTime(at + config.idempotencyLeaseSeconds * 1000),
      sqlTime(at + config.idempotencySeconds * 1000),
    ]);
  const taken = await withJsonRows<{ claim: string }>(
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
  const landed = new Set(taken.map(({ claim }) => claim));
  return claimants.map(({ claim }) => ({ claim: claim && landed.has(claim) ? claim : null }));
}

function nameOf({ keyId, idempotencyKey }: Question): string {
  return `${keyId} ${idempotencyKey}`;
}

async function storedAnswer(found: IdempotencyRecord, { fingerprint }: Question): Promise<Answer> {
  if (found.fingerprint !== fingerprint) {
    throw new CodedError(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another request in the last 24 hours. Use a new key for a new request.',
    );
  }
  if (found.status === null) throw inProgress(Math.ceil((found.leasedUntil.getTime() - clock.now()) / 1000));
  const { isSealed, isCompressed } = found;
  const body = await unpackBody({ body: found.body ?? '', isSealed, isCompressed }, found);
  return { status: found.status, contentType: found.contentType ?? '', body };
}

/** The first request is mostly done in a moment; only when its process died does it take the whole lease. */
function inProgress(leaseSeconds: number): CodedError {
  return new CodedError('idempotency_in_progress', 'The first request with this Idempotency-Key is still at work.', {
    retryAfterSeconds: Math.min(Math.max(leaseSeconds, 1), 2),
  });
}
