import { GraphQLError } from 'graphql';
import { isStoreDown } from '../src/db/isStoreDown.ts';
import { ClientLeft } from '../src/kernel/arriving.ts';
import { CodedError } from '../src/kernel/errors.ts';
import { log } from '../src/kernel/log.ts';
import { StoreHangs } from '../src/kernel/storeSilence.ts';

/** The coded error behind whatever was thrown while executing. What is not coded is logged and masked. */
export function maskError(thrown: unknown, requestId: string): CodedError {
  const original = (thrown instanceof GraphQLError && thrown.originalError) || thrown;
  if (original instanceof CodedError) return original;
  if (original instanceof ClientLeft) {
    log.info({ requestId }, 'the client left before its request had arrived');
    return new CodedError('request_timeout', 'The request did not arrive.');
  }
  if (original instanceof StoreHangs) log.info({ requestId }, 'not answered: the store hangs');
  else log.error({ err: original, requestId }, 'unexpected error');
  return isStoreDown(original)
    ? new CodedError('unavailable', 'The store cannot be reached. Try again in a moment.', { retryAfterSeconds: 5 })
    : new CodedError('internal_error', 'Something went wrong on our side. Name the request id if you ask us about it.');
}
