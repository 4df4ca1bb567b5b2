import { type NewAuditEntry, truncateChanges } from '../audit/recordAudit.ts';
import { announce } from '../db/announce.ts';
import type { Transaction } from '../db/sequelize.ts';
import { domainGoneError, holdDomains } from '../domains/usableDomains.ts';
import { PRESENTERS } from '../events/presenters.ts';
import { changesBetween, isNotable, type LinkChanges, presentLink } from '../events/presentLink.ts';
import { type NewEvent, recordEvents } from '../events/recordEvent.ts';
import { clock, now } from '../kernel/clock.ts';
import { CodedError, notFound } from '../kernel/errors.ts';
import type { Link } from '../models/Link.ts';
import type { Project } from '../models/Project.ts';
import { tagsOfLinks } from '../tags/linkTagStore.ts';
import { NewTags } from '../tags/NewTags.ts';
import type { TagOfLink } from '../tags/tagNames.ts';
import { findConflict } from './addressConflicts.ts';
import { tagsAfter, tagsRefusal } from './decideTags.ts';
import { linkColumns } from './linkInput.ts';
import { auditSubject } from './linkReferences.ts';
import { linksByIds } from './linkStore.ts';
import { LinkBatch, type LinkWriter, writeAtOnce } from './linkWrites.ts';
import type { PreparedChange } from './prepareLinks.ts';
import { staleRefusal } from './staleChange.ts';

/** Fields that archiving and restoring change. */
const ARCHIVE_FIELDS = new Set(['archived_at', 'status']);

/**
 * Changes links of a project, each under its lock, records the events and tells redirects. Returns a link or a refusal
 * (`not_found`, `validation_failed` for a lost domain or too many new tags, `slug_taken`, `conflict`) for each, in their order.
 * A change that makes no difference writes and records nothing. `audit` receives the audit entry of each link that was changed;
 * a caller that records the batch as a whole leaves it out.
 */
export async function changeLinks(
  project: Project,
  prepared: PreparedChange[],
  transaction: Transaction,
  audit: (entry: NewAuditEntry) => Promise<void> = async () => {},
  newTags = new NewTags(project.id),
): Promise<(Link | CodedError)[]> {
  const domains = prepared.flatMap(({ address }) => address.domain ?? []);
  const held = await holdDomains(project.id, domains, transaction);
  const ids = prepared.map(({ linkId }) => linkId);
  const links = await linksByIds(project, ids, { transaction, isLocked: true });
  const tags = await tagsOfLinks([...links.keys()], transaction);
  const tooManyTags = await newTags.refusals(
    prepared.map(({ input, retagging }) => retagging?.add ?? input.tags),
    transaction,
  );
  const tagRefusals = new Map(prepared.flatMap((change, at) => (tooManyTags[at] ? [[change, tooManyTags[at]]] : [])));
  const plain = plainChanges(
    prepared.filter((change) => !tagRefusals.has(change)),
    links,
  );
  const batch = await LinkBatch.open(project, newTagsOf(plain, tags), transaction);
  const atOnce = writeAtOnce(project, transaction);
  const results: (Link | CodedError)[] = [];
  const events: NewEvent[] = [];
  const addresses = new Set<string>();
  for (const change of prepared) {
    const link = links.get(change.linkId);
    if (!link) {
      results.push(notFound('link'));
      continue;
    }
    if (!plain.has(change)) await batch.flush();
    const tagsBefore = tags.get(link.id) ?? [];
    const refusal =
      tagRefusals.get(change) ??
      tagsRefusal(tagsAfter(tagsBefore, change)) ??
      (await refusalOf(project, link, change, held, transaction));
    if (refusal) {
      results.push(refusal);
      continue;
    }
    const addressBefore = `${link.domain}/${link.slug}`;
    const writer = plain.has(change) ? batch : atOnce;
    const written = await changeOne(project, link, tagsBefore, change, writer);
    if (written) {
      events.push(...written.events);
      await audit(written.entry);
      addresses.add(addressBefore).add(`${link.domain}/${link.slug}`);
    }
    // The same link may follow again in this list.
    tags.set(
      link.id,
      (link.tagIds ?? []).map((id, at) => ({ id, name: link.tagNames?.[at] ?? '' })),
    );
    results.push(link);
  }
  await batch.flush();
  await recordEvents(transaction, events);
  await announce(transaction, 'link', ...addresses);
  return results;
}

async function refusalOf(
  project: Project,
  link: Link,
  change: PreparedChange,
  held: ReadonlySet<string>,
  transaction: Transaction,
): Promise<CodedError | null> {
  const { address, ifUpdatedAt } = change;
  const stale = await staleRefusal(link, project, ifUpdatedAt, transaction);
  if (stale) return stale;
  if (address.domain !== undefined && !held.has(address.domain)) return domainGoneError(address.domain);
  return findConflict(link, change, transaction);
}

/** The changes that need no look at other links, nor at another change of theirs: they are written together. */
function plainChanges(prepared: PreparedChange[], links: ReadonlyMap<string, Link>): Set<PreparedChange> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { linkId } of prepared) (seen.has(linkId) ? repeated : seen).add(linkId);
  return new Set(
    prepared.filter(({ linkId, input, address, ifUpdatedAt }) => {
      const link = links.get(linkId);
      if (!link || repeated.has(linkId) || ifUpdatedAt) return false;
      const { domain = link.domain, slug = link.slug } = address;
      const { externalId = link.externalId } = input;
      return domain === link.domain && slug === link.slug && externalId === link.externalId;
    }),
  );
}

/** The names in the changes that set other tags than their links have. */
function newTagsOf(changes: Iterable<PreparedChange>, tags: ReadonlyMap<string, TagOfLink[]>): string[] {
  return [...changes].flatMap((change) => {
    const names = tagsAfter(tags.get(change.linkId) ?? [], change);
    return tagsRefusal(names) ? [] : (names ?? []);
  });
}

/** Writes one change. Returns its events and its audit entry, or null when it makes no difference. */
async function changeOne(
  project: Project,
  link: Link,
  tagsBefore: TagOfLink[],
  change: PreparedChange,
  writer: LinkWriter,
): Promise<{ events: NewEvent[]; entry: NewAuditEntry } | null> {
  const { input, address, isScanned, passwordHash } = change;
  const atMs = clock.now();
  const before = presentLink(link, namesOf(tagsBefore), atMs);
  const names = tagsAfter(tagsBefore, change);
  const tags = names ? await writer.setTags(link, names) : tagsBefore;
  link.tagNames = namesOf(tags);
  link.tagIds = tags.map(({ id }) => id);
  // A scan is due soon for URLs that a provider was not asked about, and for links that were not scanned while archived.
  const isRestored = link.archivedAt !== null && input.archived === false;
  const scanned = isScanned && !isRestored ? {} : { scannedAt: null };
  const password = passwordHash === undefined ? {} : { passwordHash };
  const hashBefore = link.passwordHash;
  link.set({ ...linkColumns(input), ...address, ...password, ...archivedColumn(link, input.archived), ...scanned });
  const changes = changesBetween(before, presentLink(link, link.tagNames, atMs));
  // Replacing one password by another shows in no field, but redirects must forget the old hash.
  const isPasswordNew = passwordHash !== null && link.passwordHash !== hashBefore;
  if (Object.keys(changes).length === 0 && !isPasswordNew) return null;
  await writer.save(link);
  const event = {
    teamId: project.teamId,
    projectId: project.id,
    linkId: link.id,
    tagIds: [...new Set([...tagsBefore, ...tags].map((tag) => tag.id))],
  };
  const shown = presentLink(link, link.tagNames, atMs);
  const isArchived = changes.archived_at !== undefined && link.archivedAt !== null;
  const events = [
    ...(isNotable(changes)
      ? [{ ...event, type: 'link.updated' as const, data: PRESENTERS['link.updated'](shown, changes) }]
      : []),
    ...(isArchived ? [{ ...event, type: 'link.archived' as const, data: PRESENTERS['link.archived'](shown) }] : []),
  ];
  return { events, entry: auditEntryOf(link, project, { changes, isPasswordNew }) };
}

function namesOf(tags: { name: string }[]): string[] {
  return tags.map(({ name }) => name);
}

/** What archiving or restoring writes; nothing when the link is so already. */
export function archivedColumn(link: Link, archived: boolean | null | undefined): { archivedAt?: Date | null } {
  if (archived === undefined || archived === null || archived === (link.archivedAt !== null)) return {};
  return { archivedAt: archived ? now() : null };
}

/** The audit entry of a change. Of a password it says only that a new one was set. */
function auditEntryOf(
  link: Link,
  project: Project,
  { changes, isPasswordNew }: { changes: LinkChanges; isPasswordNew: boolean },
): NewAuditEntry {
  const subject = auditSubject(link, project);
  const isArchiving =
    !isPasswordNew && 'archived_at' in changes && Object.keys(changes).every((field) => ARCHIVE_FIELDS.has(field));
  if (isArchiving) return { ...subject, action: link.archivedAt === null ? 'link.unarchived' : 'link.archived' };
  const details = { changes: truncateChanges(changes), ...(isPasswordNew ? { password_set: true } : {}) };
  return { ...subject, action: 'link.updated', details };
}
