import type { Operation } from './describeOperations.ts';
import { OPERATIONS } from './operations.ts';

/** The operation with this call. Throws if there is none: a mistake in a command. */
export function operationOf(call: string): Operation {
  const operation = OPERATIONS.find((each) => each.call === call);
  if (!operation) throw new Error(`There is no operation ${call}`);
  return operation;
}
