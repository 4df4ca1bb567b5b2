import { UniqueConstraintError } from '../../db/sequelize.ts';
import { CodedError } from '../../kernel/errors.ts';

/** `conflict` for the broken unique index of names; every other error as it is. */
export function refuseTakenName(error: unknown, name: string | undefined): unknown {
  if (!(error instanceof UniqueConstraintError)) return error;
  return new CodedError('conflict', `There is a tag "${name}" already; upper and lower case count as the same.`);
}
