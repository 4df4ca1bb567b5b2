import { type CodedError, validationFailed } from '../../kernel/errors.ts';

/** The refusal of a link whose domain was deleted, or went to somebody else, in the moment before it was written. */
export function domainGone(domain: string): CodedError {
  const message = `${domain} is no link domain of this project any more. Name another, or leave it out.`;
  return validationFailed([{ path: 'domain', message }]);
}
