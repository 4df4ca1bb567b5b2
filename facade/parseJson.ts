import { CodedError } from '../src/kernel/errors.ts';
import { isDeeperThan, MAX_NESTING } from '../src/kernel/nesting.ts';

/** The JSON object in a body. Throws `invalid_json`. */
export function parseJson(bytes: Buffer): object {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new CodedError('invalid_json', 'The body is not JSON in UTF-8.');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new CodedError('invalid_json', 'The body must be a JSON object.');
  }
  if (isDeeperThan(value, MAX_NESTING))
    throw new CodedError('invalid_json', `The body nests deeper than ${MAX_NESTING} levels.`);
  return value;
}
