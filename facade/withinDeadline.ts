import { AnswerRight, withRight } from '../src/kernel/answerRight.ts';
import { config } from '../src/kernel/config.ts';
import { within } from '../src/kernel/deadline.ts';
import { CodedError } from '../src/kernel/errors.ts';

/**
 * Answers a request, for as long as one may take. After that it is refused with `unavailable`, and nothing of it takes
 * effect; unless it is about to commit, or has: then its own answer is waited for as long again.
 */
export async function withinDeadline(right: AnswerRight, work: () => Promise<void>): Promise<void> {
  const milliseconds = config.requestSeconds * 1000;
  const answering = withRight(right, work);
  let late: CodedError | undefined;
  // An error costs more than most of what a request does beside its store, so it is made when it is needed.
  const makeLate = () => {
    late = tooLate();
    return late;
  };
  try {
    await within(answering, milliseconds, makeLate);
  } catch (error) {
    if (error !== late || right.refuse()) throw error;
    await within(answering, milliseconds, unknown);
  }
}

function tooLate(): CodedError {
  const message = 'The request took too long, and was given up: nothing was changed. Try again in a few seconds.';
  return new CodedError('unavailable', message, { retryAfterSeconds: 5 });
}

function unknown(): CodedError {
  const message =
    'The store has not said in time whether the change has taken effect. Repeat the request with its Idempotency-Key, or look before you repeat it.';
  return new CodedError('unavailable', message, { retryAfterSeconds: 5 });
}
