import { UniqueConstraintError } from '../../db/sequelize.ts';
import { CodedError } from '../../kernel/errors.ts';
import type { LinkInput } from './linkInput.ts';

/** The coded error for a broken unique index of links; every other error as it is. */
export function refuseDuplicates(error: unknown, domain: string, slug: string, input: LinkInput): unknown {
  if (isSlugTaken(error)) return new CodedError('slug_taken', `The slug "${slug}" is already used on ${domain}.`);
  if (broken(error).includes('external_id')) {
    return new CodedError('conflict', `The external id "${input.externalId}" is already used in this project.`);
  }
  return error;
}

export function isSlugTaken(error: unknown): boolean {
  return broken(error).includes('slug');
}

/** Columns of the unique index that was broken; the two stores name them differently. */
function broken(error: unknown): string[] {
  if (!(error instanceof UniqueConstraintError)) return [];
  const fields: unknown = error.fields;
  return Array.isArray(fields) ? fields : Object.keys(fields as object);
}
