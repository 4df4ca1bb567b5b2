import { config } from '../src/kernel/config.ts';
import { CodedError } from '../src/kernel/errors.ts';

/** Waits for a request that is being answered, for as long as one may take. Throws `unavailable` after that. */
export async function withinDeadline(answering: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLate()), config.requestSeconds * 1000);
  });
  try {
    await Promise.race([answering, late]);
  } finally {
    clearTimeout(timer);
  }
}

function tooLate(): CodedError {
  const message =
    'The request took too long, and may still take effect. Repeat it with its Idempotency-Key, or look before you repeat it.';
  return new CodedError('unavailable', message, { retryAfterSeconds: 5 });
}
