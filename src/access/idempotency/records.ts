import { inTransaction } from '../../db/inTransaction.ts';
import { sqlTime, withJsonRows } from '../../db/jsonRows.ts';
import { selectBound } from '../../db/selectBound.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { clock } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { CodedError } from '../../kernel/errors.ts';
import { randomToken, seal, unseal } from '../../kernel/secrets.ts';
import { IdempotencyRecord } from '../../models/IdempotencyRecord.ts';

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
    const claim = await insertClaim(question);
    if (claim) return claim;
    const { keyId, idempotencyKey } = question;
    const found = await IdempotencyRecord.findOne({ where: { keyId, idempotencyKey } });
    if (found) return { answer: storedAnswer(found, question) };
    if (attempt === TRIES) throw inProgress(1);
  }
}

/** Adds the answer to the transaction of its effect. Throws when somebody else has taken the claim meanwhile. */
export async function keepAnswer(
  { keyId, idempotencyKey, claim }: Claim,
  { status, contentType, body }: Answer,
  isSecret: boolean,
  transaction: Transaction,
): Promise<void> {
  const [kept] = await IdempotencyRecord.update(
    { status, contentType, body: isSecret ? seal(body) : body, isSealed: isSecret },
    { where: { keyId, idempotencyKey, claim, status: null }, transaction },
  );
  if (kept !== 1) throw inProgress(config.idempotencyLeaseSeconds);
}

/** Nothing was done: the next request with this key may act. */
export async function giveUp({ keyId, idempotencyKey, claim }: Claim): Promise<void> {
  await inTransaction((transaction) =>
    IdempotencyRecord.destroy({ where: { keyId, idempotencyKey, claim, status: null }, transaction }),
  );
}

/** Deletes at most `limit` records whose day is over, and gives how many there were. */
export async function purgeAnswers(limit: number): Promise<number> {
  const deleted = await inTransaction((transaction) =>
    selectBound(
      `WITH old AS (SELECT key_id, idempotency_key FROM idempotency_records WHERE expires_at <= $1 LIMIT ${limit})
       DELETE FROM idempotency_records
       WHERE (key_id, idempotency_key) IN (SELECT key_id, idempotency_key FROM old) RETURNING key_id`,
      [sqlTime(clock.now())],
      transaction,
    ),
  );
  return deleted.length;
}

/** After a start on the embedded store: whoever was at work is dead. */
export async function freeClaimsOfDeadProcess(): Promise<void> {
  await inTransaction((transaction) => IdempotencyRecord.destroy({ where: { status: null }, transaction }));
}

async function insertClaim(question: Question): Promise<Claim | null> {
  const { keyId, idempotencyKey, fingerprint } = question;
  const claim = randomToken(12);
  const at = clock.now();
  const row = [
    keyId,
    idempotencyKey,
    fingerprint,
    claim,
    sqlTime(at + config.idempotencyLeaseSeconds * 1000),
    sqlTime(at + config.idempotencySeconds * 1000),
    sqlTime(at),
  ];
  const taken = await inTransaction((transaction) =>
    withJsonRows(
      {
        key_id: 'text',
        idempotency_key: 'text',
        fingerprint: 'text',
        claim: 'text',
        leased_until: 'time',
        expires_at: 'time',
        present: 'time',
      },
      [row],
      `INSERT INTO idempotency_records AS known (key_id, idempotency_key, fingerprint, claim, leased_until, expires_at)
       SELECT key_id, idempotency_key, fingerprint, claim, leased_until, expires_at FROM given WHERE true
       ON CONFLICT (key_id, idempotency_key) DO UPDATE
       SET fingerprint = excluded.fingerprint, claim = excluded.claim, leased_until = excluded.leased_until,
           expires_at = excluded.expires_at, status = NULL, content_type = NULL, body = NULL
       WHERE known.expires_at <= (SELECT present FROM given)
          OR (known.status IS NULL AND known.leased_until <= (SELECT present FROM given))
       RETURNING claim`,
      transaction,
    ),
  );
  return taken.length === 1 ? { ...question, claim } : null;
}

function storedAnswer(found: IdempotencyRecord, { fingerprint }: Question): Answer {
  if (found.fingerprint !== fingerprint) {
    throw new CodedError(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another request in the last 24 hours. Use a new key for a new request.',
    );
  }
  if (found.status === null) throw inProgress(Math.ceil((found.leasedUntil.getTime() - clock.now()) / 1000));
  const body = found.body ?? '';
  return {
    status: found.status,
    contentType: found.contentType ?? '',
    body: found.isSealed ? unseal(body) : body,
  };
}

/** The first request is mostly done in a moment; only when its process died does it take the whole lease. */
function inProgress(leaseSeconds: number): CodedError {
  return new CodedError('idempotency_in_progress', 'The first request with this Idempotency-Key is still at work.', {
    retryAfterSeconds: Math.min(Math.max(leaseSeconds, 1), 2),
  });
}
