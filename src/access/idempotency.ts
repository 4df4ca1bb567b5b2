import { inTransaction } from '../db/transactions.ts';
import { rehearse, runUnitOfWork } from '../db/unitOfWork.ts';
import { CodedError, type ErrorCode } from '../kernel/errors.ts';
import { withOutcome } from '../kernel/requestOutcome.ts';
import {
  claimRequest,
  type IdempotencyClaim,
  type IdempotentRequest,
  releaseClaim,
  releaseLater,
  type StoredResponse,
  saveResponse,
} from './idempotencyStore.ts';
import { countStoredBytes, packBody, refuseOverStorageLimit } from './storedBody.ts';

/** Refusals that depend on what the store held at the time: a repeat must get them again. No other refusal is stored. */
const STORED_REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'not_found',
  'slug_taken',
  'conflict',
  'destination_refused',
]);

interface Action {
  /** Carries the request out and returns its response; what it writes and the stored response commit together. */
  run(): Promise<StoredResponse>;
  /** The response that reports a refusal. */
  present(refusal: CodedError): StoredResponse;
  /** The response holds a secret, so that it is stored encrypted. */
  isSecret: boolean;
}

/**
 * Carries a request out once: a repeat within IDEMPOTENCY_SECONDS gets the stored response. Throws
 * `idempotency_key_reused` when the key came with another request, `idempotency_in_progress` while the first request is
 * still running, and every refusal that is not stored.
 */
export async function executeOnce(
  request: IdempotentRequest,
  { run, present, isSecret }: Action,
): Promise<{ response: StoredResponse; isReplayed: boolean }> {
  // The claim is not an effect of the request: it is written whatever the request's deadline, and released on a refusal.
  const claim = await withOutcome(null, () => claimRequest(request));
  if ('response' in claim) return { response: claim.response, isReplayed: true };
  try {
    refuseOverStorageLimit(request.keyId);
    const response = await runUnitOfWork(run, (given) => save(claim, given, isSecret));
    return { response, isReplayed: false };
  } catch (error) {
    if (!(error instanceof CodedError && STORED_REFUSALS.has(error.code))) {
      await withOutcome(null, () => releaseClaim(claim)).catch(() => releaseLater(claim));
      throw error;
    }
    const refusal = present(error);
    // A refusal changes nothing, so that it may be stored after a deadline too.
    await withOutcome(null, () => save(claim, refusal, isSecret));
    return { response: refusal, isReplayed: false };
  }
}

/** Carries a request out to its end and keeps nothing of it. Returns its response. */
export function rehearseRequest<Response>(run: () => Promise<Response>): Promise<Response> {
  return rehearse(run);
}

async function save(claim: IdempotencyClaim, response: StoredResponse, isSecret: boolean): Promise<void> {
  const stored = await packBody(response.body, isSecret, claim);
  await inTransaction((transaction) => saveResponse({ claim, response, stored }, transaction));
  countStoredBytes(claim.keyId, stored);
}
