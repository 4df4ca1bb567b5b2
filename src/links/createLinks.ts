import { claimAccountQuota, lockAccountQuotas, returnAccountQuota } from '../access/accountLimits.ts';
import type { Principal } from '../access/principal.ts';
import { recordAudits } from '../audit/recordAudit.ts';
import { announce } from '../db/announce.ts';
import { modelOfRow } from '../db/connection/internals.ts';
import { groupCommit } from '../db/groupCommit.ts';
import type { Transaction } from '../db/sequelize.ts';
import { domainGoneError, holdDomains } from '../domains/usableDomains.ts';
import { PRESENTERS } from '../events/presenters.ts';
import { presentLink } from '../events/presentLink.ts';
import { recordEvents } from '../events/recordEvent.ts';
import { now } from '../kernel/clock.ts';
import { CodedError } from '../kernel/errors.ts';
import { mapYielding } from '../kernel/yield.ts';
import { Link } from '../models/Link.ts';
import type { Project } from '../models/Project.ts';
import { attachTags } from '../tags/linkTagStore.ts';
import { NewTags } from '../tags/NewTags.ts';
import { externalIdTaken, freeSlugs, slugTaken } from './addressConflicts.ts';
import { auditSubject } from './linkReferences.ts';
import { insertLinkRows, type NewLinkValues, newLinkValues, usedValuesOf } from './linkStore.ts';
import type { PreparedLink } from './prepareLinks.ts';

/** How many slugs are generated for a link before it is refused: with 7 characters a second collision is already rare. */
const MAX_SLUGS = 8;

interface Creation {
  principal: Principal;
  project: Project;
  prepared: PreparedLink;
}

/** Creates one link with its event and audit entry, in one transaction with others that are created at the same time. */
export const createPrepared = groupCommit(createAll);

async function createAll(creations: Creation[], transaction: Transaction): Promise<(Link | CodedError)[]> {
  const results: (Link | CodedError)[] = [];
  await lockAccountQuotas(
    creations.map(({ project }) => project.teamId),
    transaction,
  );
  for (const { project, indexes } of byProject(creations)) {
    const prepared = indexes.map((at) => (creations[at] as Creation).prepared);
    const created = await insertLinks(project, prepared, {}, transaction);
    created.forEach((result, at) => {
      results[indexes[at] as number] = result;
    });
    const links = created.filter((result) => result instanceof Link);
    await recordEvents(
      transaction,
      links.map((link) => ({
        type: 'link.created',
        teamId: project.teamId,
        projectId: project.id,
        linkId: link.id,
        tagIds: link.tagIds ?? [],
        data: PRESENTERS['link.created'](presentLink(link, link.tagNames ?? [])),
      })),
    );
  }
  const entries = creations.flatMap(({ principal, project }, at) => {
    const link = results[at];
    return link instanceof Link
      ? [{ ...auditSubject(link, project), action: 'link.created' as const, actor: principal }]
      : [];
  });
  await recordAudits(transaction, entries);
  return results;
}

function byProject(creations: Creation[]): { project: Project; indexes: number[] }[] {
  const groups = new Map<string, { project: Project; indexes: number[] }>();
  creations.forEach(({ project }, at) => {
    const group = groups.get(project.id) ?? { project, indexes: [] };
    group.indexes.push(at);
    groups.set(project.id, group);
  });
  return [...groups.values()];
}

interface Options {
  /** Shared by the links of one bulk call or import. */
  batchId?: string | null;
  /** The tags that they may bring. */
  newTags?: NewTags;
}

/** A link that is about to be inserted, and its index in the caller's list. */
interface Draft {
  index: number;
  prepared: PreparedLink;
  values: NewLinkValues;
}

/**
 * Inserts links with their tags and tells redirects about them; the caller records the events. Returns a link or a refusal
 * (`account_limit_reached`, `validation_failed` for a lost domain or too many new tags, `slug_taken`, `conflict`) for each, in
 * their order.
 */
export async function insertLinks(
  project: Project,
  prepared: PreparedLink[],
  { batchId = null, newTags = new NewTags(project.id) }: Options,
  transaction: Transaction,
): Promise<(Link | CodedError)[]> {
  const { granted, refusal } = await claimAccountQuota(project.teamId, prepared.length, transaction);
  const results: (Link | CodedError)[] = [];
  if (refusal) for (let index = granted; index < prepared.length; index += 1) results[index] = refusal;
  const lost = await lostDomains(project.id, prepared, transaction);
  const at = now();
  const draft = (link: PreparedLink, index: number): Draft => ({
    index,
    prepared: link,
    values: newLinkValues(project, link, batchId, at),
  });
  const drafts = await mapYielding(prepared.slice(0, granted), draft);
  const tooManyTags = await newTags.refusals(
    drafts.map((one) => one.prepared.input.tags),
    transaction,
  );
  for (const [at, { index, values }] of drafts.entries()) {
    const refused = lost.has(values.domain) ? domainGoneError(values.domain) : tooManyTags[at];
    if (refused) results[index] = refused;
  }
  const usable = drafts.filter(({ index }) => results[index] === undefined);
  await insertDrafts(project, usable, draft, results, transaction);
  const links = results.filter((result) => result instanceof Link);
  await returnAccountQuota(project.teamId, granted - links.length, transaction);
  const tagged = results.flatMap((link, index) =>
    link instanceof Link ? [{ link, names: prepared[index]?.input.tags ?? [] }] : [],
  );
  await attachTags(project.id, tagged, transaction);
  await announce(transaction, 'link', ...links.map((link) => `${link.domain}/${link.slug}`));
  return results;
}

/** Domains of these links that the project had when they were prepared and has no longer. */
async function lostDomains(
  projectId: string,
  prepared: PreparedLink[],
  transaction: Transaction,
): Promise<Set<string>> {
  const domains = new Set(prepared.map(({ domain }) => domain));
  const held = await holdDomains(projectId, domains, transaction);
  return new Set([...domains].filter((domain) => !held.has(domain)));
}

/**
 * Puts a link or a refusal into `results` for each draft. A draft whose generated slug is used is drafted again with
 * another, and one whose slug `freeSlugs` has just freed is tried once more.
 */
async function insertDrafts(
  project: Project,
  drafts: Draft[],
  draftAgain: (prepared: PreparedLink, index: number) => Draft,
  results: (Link | CodedError)[],
  transaction: Transaction,
): Promise<void> {
  let waiting = drafts;
  for (let attempt = 1; waiting.length > 0; attempt += 1) {
    const inserted = await insertLinkRows(
      waiting.map(({ values }) => values),
      transaction,
    );
    for (const { index, values } of waiting) {
      if (inserted.has(values.id)) results[index] = modelOfRow(Link, values);
    }
    const missed = waiting.filter(({ values }) => !inserted.has(values.id));
    const wanted = missed.filter(({ prepared: { input } }) => input.slug).map(({ values }) => values);
    await freeSlugs(project.id, wanted, transaction);
    const refusals = await refusalsOf(missed, attempt < MAX_SLUGS, transaction);
    for (const [{ index }, refusal] of refusals) results[index] = refusal;
    waiting = missed.filter((one) => !refusals.has(one)).map(({ prepared, index }) => draftAgain(prepared, index));
  }
}

/** Why drafts were not inserted. One without a refusal may be tried again. */
async function refusalsOf(
  missed: Draft[],
  mayRetry: boolean,
  transaction: Transaction,
): Promise<Map<Draft, CodedError>> {
  const refusals = new Map<Draft, CodedError>();
  const used = await usedValuesOf(
    missed.map(({ values }) => values),
    transaction,
  );
  for (const one of missed) {
    const { values, prepared } = one;
    const isUsed = used.get(values.id);
    if (isUsed?.externalId) refusals.set(one, externalIdTaken(values.externalId ?? ''));
    else if (!mayRetry || (isUsed?.slug && prepared.input.slug)) refusals.set(one, slugTaken(values));
  }
  return refusals;
}
