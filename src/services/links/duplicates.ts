import { UniqueConstraintError } from '../../db/sequelize.ts';
import { CodedError } from '../../kernel/errors.ts';

export function slugTaken({ domain, slug }: { domain: string; slug: string }): CodedError {
  return new CodedError('slug_taken', `The slug "${slug}" is already used on ${domain}.`);
}

export function externalIdTaken(externalId: string): CodedError {
  return new CodedError('conflict', `The external id "${externalId}" is already used in this project.`);
}

/** The coded error for a broken unique index of links; every other error as it is. */
export function refuseDuplicates(
  error: unknown,
  address: { domain: string; slug: string },
  externalId: string | null | undefined,
): unknown {
  const columns = broken(error);
  if (columns.includes('slug')) return slugTaken(address);
  return columns.includes('external_id') ? externalIdTaken(externalId ?? '') : error;
}

/** Columns of the unique index that was broken; the two stores name them differently. */
function broken(error: unknown): string[] {
  if (!(error instanceof UniqueConstraintError)) return [];
  const fields: unknown = error.fields;
  return Array.isArray(fields) ? fields : Object.keys(fields as object);
}
