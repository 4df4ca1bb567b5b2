import { Op, type Transaction, UniqueConstraintError } from '../db/sequelize.ts';
import { holdDomains, usableDomains } from '../domains/usableDomains.ts';
import { config } from '../kernel/config.ts';
import { CodedError, type FieldProblem } from '../kernel/errors.ts';
import { Link } from '../models/Link.ts';
import { generateSlug } from '../routing/slug.ts';
import type { PreparedChange } from './prepareLinks.ts';
import { applySystemChange } from './systemChange.ts';

interface Address {
  domain: string;
  slug: string;
}

/** What a link keeps of a slug that it gives up: slugs have at most 190 characters, and a random end is added. */
const KEPT_CHARACTERS = 170;

export function slugTaken({ domain, slug }: Address): CodedError {
  return new CodedError('slug_taken', `The slug "${slug}" is already used on ${domain}.`);
}

export function externalIdTaken(externalId: string): CodedError {
  return new CodedError('conflict', `The external id "${externalId}" is already used in this project.`);
}

/** The coded error for a violated unique index of links; returns every other error as it is. */
export function refusalOfDuplicate(error: unknown, address: Address, externalId: string | null | undefined): unknown {
  const columns = violatedColumns(error);
  if (columns.includes('slug')) return slugTaken(address);
  return columns.includes('external_id') ? externalIdTaken(externalId ?? '') : error;
}

/** The columns of the unique index that was violated; the two stores report them differently. */
function violatedColumns(error: unknown): string[] {
  if (!(error instanceof UniqueConstraintError)) return [];
  const fields: unknown = error.fields;
  return Array.isArray(fields) ? fields : Object.keys(fields as object);
}

/**
 * The refusal of a change whose new address or external id another link has; null when both are free. They are looked up
 * before the write, because on PostgreSQL a violated index aborts the whole transaction with all other changes of a list.
 */
export async function findConflict(
  link: Link,
  { input, address }: PreparedChange,
  transaction: Transaction,
): Promise<CodedError | null> {
  const next = { domain: link.domain, slug: link.slug, ...address };
  const isMoved = next.domain !== link.domain || next.slug !== link.slug;
  if (isMoved && (await isUsed(link, next, transaction))) {
    await freeSlugs(link.projectId, [next], transaction);
    if (await isUsed(link, next, transaction)) return slugTaken(next);
  }
  const { externalId } = input;
  const isRenamed = externalId && externalId !== link.externalId;
  if (isRenamed && (await isUsed(link, { projectId: link.projectId, externalId }, transaction))) {
    return externalIdTaken(externalId);
  }
  return null;
}

async function isUsed(link: Link, where: object, transaction: Transaction): Promise<boolean> {
  const other = await Link.findOne({ attributes: ['id'], where: { ...where, id: { [Op.ne]: link.id } }, transaction });
  return other !== null;
}

/** The address and the external id that a draft would have, without parts that are not set or not valid. */
export interface DraftedNames {
  domain: string | null;
  slug: string | null;
  externalId: string | null | undefined;
}

/** What of a draft's address and external id is used by another link than `current`. Unlike a write it frees no slug. */
export async function draftConflicts(
  projectId: string,
  current: Link | null,
  { domain, slug, externalId }: DraftedNames,
): Promise<{ isSlugTaken: boolean; problems: FieldProblem[] }> {
  const isMoved = domain !== current?.domain || slug !== current?.slug;
  const isSlugTaken = domain !== null && slug !== null && isMoved && (await isTaken(projectId, current, domain, slug));
  const isRenamed = externalId && externalId !== current?.externalId;
  const twin = isRenamed ? await Link.findOne({ attributes: ['id'], where: { projectId, externalId } }) : null;
  const problems = [
    ...(isSlugTaken ? [{ path: 'slug', message: slugTaken({ domain, slug }).message }] : []),
    ...(twin && externalId ? [{ path: 'external_id', message: externalIdTaken(externalId).message }] : []),
  ];
  return { isSlugTaken, problems };
}

/** A link of another project on an own domain does not count: `freeSlugs` moves it away. */
async function isTaken(projectId: string, current: Link | null, domain: string, slug: string): Promise<boolean> {
  const other = await Link.findOne({ attributes: ['id', 'projectId'], where: { domain, slug } });
  if (!other || other.id === current?.id) return false;
  const isOwn = other.projectId === projectId || domain === config.linkDomain;
  return isOwn || !(await usableDomains(projectId, [domain])).includes(domain);
}

/**
 * Frees the wanted addresses on the project's own domains. A link of another project there does not redirect any more: it
 * was left behind when the domain was taken from that project. It moves to a random slug; otherwise someone who had
 * registered the domain by mistake or in bad faith could keep its best slugs from its owner.
 */
export async function freeSlugs(projectId: string, wanted: Address[], transaction: Transaction): Promise<void> {
  const onOwnDomains = wanted.filter(({ domain }) => domain !== config.linkDomain);
  if (onOwnDomains.length === 0) return;
  const domains = new Set(onOwnDomains.map(({ domain }) => domain));
  const held = await holdDomains(projectId, domains, transaction);
  for (const { domain, slug } of onOwnDomains) {
    if (!held.has(domain)) continue;
    const link = await Link.findOne({
      where: { domain, slug, projectId: { [Op.ne]: projectId } },
      lock: transaction.LOCK.UPDATE,
      transaction,
    });
    if (!link) continue;
    const slugLeft = `${link.slug.slice(0, KEPT_CHARACTERS)}~${generateSlug()}${generateSlug()}`;
    await applySystemChange(link, { slug: slugLeft }, transaction, { isDeletedToo: true });
  }
}
