import { config } from '../src/kernel/config.ts';
import { withTimeout } from '../src/kernel/deadline.ts';
import { CodedError } from '../src/kernel/errors.ts';
import { type RequestOutcome, withOutcome } from '../src/kernel/requestOutcome.ts';

/**
 * Limits a request to REQUEST_SECONDS. After that it is refused with `unavailable` and has no effect. If it is about to
 * commit, or has committed, its own response gets as much time again.
 */
export async function withinDeadline<Result>(outcome: RequestOutcome, work: () => Promise<Result>): Promise<Result> {
  const milliseconds = config.requestSeconds * 1000;
  const answering = withOutcome(outcome, work);
  let late: CodedError | undefined;
  // Creating an error costs more than most other steps of a request, so it happens only when needed.
  const makeLate = () => {
    late = tooLate();
    return late;
  };
  try {
    return await withTimeout(answering, milliseconds, makeLate);
  } catch (error) {
    if (error !== late || outcome.refuse()) throw error;
    return withTimeout(answering, milliseconds, unknown);
  }
}

function tooLate(): CodedError {
  const message = 'The request took too long and was cancelled. Nothing was changed. Try again in a few seconds.';
  return new CodedError('unavailable', message, { retryAfterSeconds: 5 });
}

function unknown(): CodedError {
  const message =
    'The store did not confirm in time whether the change took effect. Retry with the same Idempotency-Key, or check before you retry.';
  return new CodedError('unavailable', message, { retryAfterSeconds: 5 });
}
