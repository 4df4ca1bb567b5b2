import { holdCommit } from '../../db/holdCommit.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { withRight } from '../../kernel/answerRight.ts';
import { CodedError, type ErrorCode } from '../../kernel/errors.ts';
import { type Answer, type Claim, giveUp, keepAnswer, type Question, takeClaim } from './records.ts';
import { countStored, packBody, refuseWithoutRoom } from './storedBody.ts';

/** Refusals that are decided while acting, so that a repeat must get them again; all others are not kept. */
const KEPT: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['not_found', 'slug_taken', 'conflict', 'destination_refused']);

interface Deed {
  /** Acts and gives the answer; what it writes and the stored answer commit together. */
  act(): Promise<Answer>;
  /** The answer that tells of a refusal. */
  present(refusal: CodedError): Answer;
  /** The answer holds a secret. */
  isSecret: boolean;
}

/**
 * Acts once for each question: a repeat within the day gets the stored answer. Throws `idempotency_key_reused` when the
 * key came with another request, `idempotency_in_progress` while the first is at work, and what is not kept as it is.
 */
export async function answerOnce(question: Question, deed: Deed): Promise<{ answer: Answer; isReplayed: boolean }> {
  // The claim is no effect of the request: it is given up when the request is refused.
  const taken = await withRight(null, () => takeClaim(question));
  if ('answer' in taken) return { answer: taken.answer, isReplayed: true };
  try {
    refuseWithoutRoom(question.keyId);
    const answer = await holdCommit(deed.act, (given) => keep(taken, given, deed.isSecret));
    return { answer, isReplayed: false };
  } catch (error) {
    if (!(error instanceof CodedError && KEPT.has(error.code))) {
      await withRight(null, () => giveUp(taken)).catch(() => {});
      throw error;
    }
    const refusal = deed.present(error);
    // Changes nothing, so that it may be told after a deadline too.
    await withRight(null, () => keep(taken, refusal, deed.isSecret));
    return { answer: refusal, isReplayed: false };
  }
}

async function keep(claim: Claim, answer: Answer, isSecret: boolean): Promise<void> {
  const stored = await packBody(answer.body, isSecret, claim);
  await inTransaction((transaction) => keepAnswer({ claim, answer, stored }, transaction));
  countStored(claim.keyId, stored);
}
