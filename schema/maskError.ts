import { GraphQLError } from 'graphql';
import { isStoreDown } from '../src/db/isStoreDown.ts';
import { CodedError } from '../src/kernel/errors.ts';
import { log } from '../src/kernel/log.ts';

/** The coded error behind whatever was thrown while executing. What is not coded is logged and masked. */
export function maskError(thrown: unknown, requestId: string): CodedError {
  const original = (thrown instanceof GraphQLError && thrown.originalError) || thrown;
  if (original instanceof CodedError) return original;
  log.error({ err: original, requestId }, 'unexpected error');
  return isStoreDown(original)
    ? new CodedError('unavailable', 'The store cannot be reached. Try again in a moment.', { retryAfterSeconds: 5 })
    : new CodedError('internal_error', 'Something went wrong on our side. Name the request id if you ask us about it.');
}
