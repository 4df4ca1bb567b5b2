import type { NewAuditEntry } from '../../audit/recordAudit.ts';
import { announce } from '../../db/announce.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { changesBetween, isWorthTelling } from '../../events/linkChanges.ts';
import { PRESENTERS } from '../../events/presenters.ts';
import { presentLink } from '../../events/presentLink.ts';
import { type NewEvent, recordEvents } from '../../events/recordEvent.ts';
import { clock, now } from '../../kernel/clock.ts';
import { CodedError, notFound } from '../../kernel/errors.ts';
import type { Link } from '../../models/Link.ts';
import type { Project } from '../../models/Project.ts';
import { domainGone } from '../domains/domainGone.ts';
import { holdDomains } from '../domains/usableDomains.ts';
import { linkColumns } from './linkInput.ts';
import { linksByIds } from './linksByIds.ts';
import { setLinkTags, type TagOfLink, tagsOfLinks } from './linkTags.ts';
import { noteOfChange } from './noteOfChange.ts';
import type { PreparedChange } from './prepareChanges.ts';
import { takenAddresses } from './takenAddresses.ts';

/**
 * Changes links of a project, each under its lock, and tells receivers and redirects of what is different. Gives a
 * link or a refusal (`not_found`, `slug_taken`, `conflict`) for each, in their order: good ones are changed although
 * others aren't. What is so already changes nothing and tells nobody. `note` gets what is to be noted of each change;
 * without it the caller notes the batch.
 */
export async function changeLinks(
  project: Project,
  prepared: PreparedChange[],
  transaction: Transaction,
  note: (entry: NewAuditEntry) => Promise<void> = async () => {},
): Promise<(Link | CodedError)[]> {
  const domains = prepared.flatMap(({ address }) => address.domain ?? []);
  const held = await holdDomains(project.id, domains, transaction);
  const ids = prepared.map(({ linkId }) => linkId);
  const links = await linksByIds(project, ids, { transaction, isLocked: true });
  const tags = await tagsOfLinks([...links.keys()], transaction);
  const results: (Link | CodedError)[] = [];
  const events: NewEvent[] = [];
  const addresses = new Set<string>();
  for (const change of prepared) {
    const link = links.get(change.linkId);
    if (!link) {
      results.push(notFound('link'));
      continue;
    }
    const { domain } = change.address;
    const isGone = domain !== undefined && !held.has(domain);
    const refusal = isGone ? domainGone(domain) : await takenAddresses(link, change, transaction);
    if (refusal) {
      results.push(refusal);
      continue;
    }
    const before = `${link.domain}/${link.slug}`;
    const told = await changeOne(project, link, tags.get(link.id) ?? [], change, transaction);
    if (told) {
      events.push(...told.events);
      await note(told.entry);
      addresses.add(before).add(`${link.domain}/${link.slug}`);
    }
    // Once more in the same list, it has the tags that it has now.
    tags.set(
      link.id,
      (link.tagIds ?? []).map((id, at) => ({ id, name: link.tagNames?.[at] ?? '' })),
    );
    results.push(link);
  }
  await recordEvents(transaction, events);
  await announce(transaction, 'link', ...addresses);
  return results;
}

/** Writes one change; gives the events that it makes and what is to be noted, or null when nothing is different. */
async function changeOne(
  project: Project,
  link: Link,
  tagsBefore: TagOfLink[],
  { input, address, isScanned, passwordHash }: PreparedChange,
  transaction: Transaction,
): Promise<{ events: NewEvent[]; entry: NewAuditEntry } | null> {
  const atMs = clock.now();
  const before = presentLink(link, namesOf(tagsBefore), atMs);
  const tags =
    input.tags === undefined ? tagsBefore : await setLinkTags(project.id, link.id, input.tags ?? [], transaction);
  link.tagNames = namesOf(tags);
  link.tagIds = tags.map(({ id }) => id);
  // What could not be asked about is scanned again soon, and so is what nobody scanned while it was archived.
  const isBack = link.archivedAt !== null && input.archived === false;
  const scanned = isScanned && !isBack ? {} : { scannedAt: null };
  const password = passwordHash === undefined ? {} : { passwordHash };
  link.set({ ...linkColumns(input), ...address, ...password, ...archivedColumn(link, input.archived), ...scanned });
  const changes = changesBetween(before, presentLink(link, link.tagNames, atMs));
  // One password in place of another shows in no field, and ends what redirects remember.
  const isPasswordNew = passwordHash !== null && link.changed('passwordHash');
  if (Object.keys(changes).length === 0 && !isPasswordNew) return null;
  // Tags live in their own table; the change of them alone is a change of the link too.
  link.changed('updatedAt', true);
  await link.save({ transaction });
  const event = {
    teamId: project.teamId,
    projectId: project.id,
    linkId: link.id,
    tagIds: [...new Set([...tagsBefore, ...tags].map((tag) => tag.id))],
  };
  const shown = presentLink(link, link.tagNames, atMs);
  const isArchived = changes.archived_at !== undefined && link.archivedAt !== null;
  const events = [
    ...(isWorthTelling(changes)
      ? [{ ...event, type: 'link.updated' as const, data: PRESENTERS['link.updated'](shown, changes) }]
      : []),
    ...(isArchived ? [{ ...event, type: 'link.archived' as const, data: PRESENTERS['link.archived'](shown) }] : []),
  ];
  return { events, entry: noteOfChange(link, project, { changes, isPasswordNew }) };
}

function namesOf(tags: { name: string }[]): string[] {
  return tags.map(({ name }) => name);
}

function archivedColumn(link: Link, archived: boolean | null | undefined): { archivedAt?: Date | null } {
  if (archived === undefined || archived === null || archived === (link.archivedAt !== null)) return {};
  return { archivedAt: archived ? now() : null };
}
