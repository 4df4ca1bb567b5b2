import { announce } from '../../db/announce.ts';
import { sqlTime, statementParts, withJsonRows } from '../../db/jsonRows.ts';
import { modelOf } from '../../db/readModels.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { now } from '../../kernel/clock.ts';
import { CodedError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { mapSliced } from '../../kernel/sliced.ts';
import { Link } from '../../models/Link.ts';
import type { Project } from '../../models/Project.ts';
import { generateSlug } from '../../routing/generateSlug.ts';
import { returnAccountQuota, takeAccountQuota } from '../../scan/accountLimits.ts';
import { domainGone } from '../domains/domainGone.ts';
import { holdDomains } from '../domains/usableDomains.ts';
import { attachTags } from './attachTags.ts';
import { externalIdTaken, slugTaken } from './duplicates.ts';
import { freeSlugs } from './freeSlugs.ts';
import { linkColumns } from './linkInput.ts';
import type { PreparedLink } from './prepareLinks.ts';

/** How often a generated slug may hit a used one before we say so: with 7 characters a second hit is already rare. */
const GENERATIONS = 8;

interface Options {
  /** Links of one bulk call or import share it. */
  batchId?: string | null;
}

/** A link on its way into the store, and where it stands in the caller's list. */
interface Draft {
  at: number;
  prepared: PreparedLink;
  values: LinkValues;
}

type LinkValues = Record<string, unknown> & { id: string; domain: string; slug: string; externalId: string | null };

/**
 * Makes links in one statement, and tells redirects about them; events are the caller's. Gives a link or a refusal
 * (`account_limit_reached`, `slug_taken`, `conflict`) for each, in their order: good ones land although others don't.
 */
export async function insertLinks(
  project: Project,
  prepared: PreparedLink[],
  { batchId = null }: Options,
  transaction: Transaction,
): Promise<(Link | CodedError)[]> {
  const results: (Link | CodedError)[] = [];
  const at = now();
  const draft = (link: PreparedLink, index: number): Draft => ({
    at: index,
    prepared: link,
    values: valuesOf(project, link, batchId, at),
  });
  const { granted, refusal } = await takeAccountQuota(project.teamId, prepared.length, transaction);
  if (refusal) results.push(...prepared.map(() => refusal));
  const gone = await goneDomains(project.id, prepared, transaction);
  for (const [index, link] of prepared.slice(0, granted).entries()) {
    if (gone.has(link.domain)) results[index] = domainGone(link.domain);
  }
  let drafts = (await mapSliced(prepared.slice(0, granted), draft)).filter(({ values }) => !gone.has(values.domain));
  for (let generation = 1; drafts.length > 0; generation += 1) {
    const landed = await write(drafts, transaction);
    const missed: Draft[] = [];
    for (const one of drafts) {
      if (landed.has(one.values.id)) results[one.at] = modelOf(Link, one.values);
      else missed.push(one);
    }
    const wanted = missed.filter(({ prepared: { input } }) => input.slug).map(({ values }) => values);
    await freeSlugs(project.id, wanted, transaction);
    const refusals = await refusalsOf(missed, transaction, generation < GENERATIONS);
    for (const one of missed) results[one.at] = refusals.get(one) as CodedError;
    drafts = missed.filter((one) => !refusals.has(one)).map((one) => draft(one.prepared, one.at));
  }
  const made = results.filter((result) => result instanceof Link);
  await returnAccountQuota(project.teamId, granted - made.length, transaction);
  await attachTags(
    project.id,
    prepared.map(({ input }, index) => ({ link: results[index] as Link, names: input.tags ?? [] })).filter(isMade),
    transaction,
  );
  await announce(transaction, 'link', ...made.map((link) => `${link.domain}/${link.slug}`));
  return results;
}

async function goneDomains(
  projectId: string,
  prepared: PreparedLink[],
  transaction: Transaction,
): Promise<Set<string>> {
  const domains = new Set(prepared.map(({ domain }) => domain));
  const held = await holdDomains(projectId, domains, transaction);
  return new Set([...domains].filter((domain) => !held.has(domain)));
}

function isMade({ link }: { link: Link | CodedError }): boolean {
  return link instanceof Link;
}

const NOTHING = {
  routing: null,
  externalId: null,
  title: null,
  notes: null,
  utm: null,
  preview: null,
  startsAt: null,
  expiresAt: null,
  expiredDestination: null,
  clickLimit: null,
  matchWindowSeconds: null,
  clicks: 0,
  lastClickedAt: null,
  flagReason: null,
  flaggedAt: null,
  archivedAt: null,
};

function valuesOf(
  project: Project,
  { input, domain, isScanned, passwordHash = null }: PreparedLink,
  batchId: string | null,
  at: Date,
): LinkValues {
  return {
    ...NOTHING,
    data: {},
    ...linkColumns(input),
    id: newId('lnk'),
    projectId: project.id,
    domain,
    slug: input.slug ?? generateSlug(),
    passwordHash,
    batchId,
    scannedAt: isScanned ? at : null,
    createdAt: at,
    updatedAt: at,
  } as unknown as LinkValues;
}

const COLUMNS = {
  id: 'text',
  project_id: 'text',
  domain: 'text',
  slug: 'text',
  destination: 'text',
  routing: 'json',
  data: 'json',
  external_id: 'text',
  title: 'text',
  notes: 'text',
  utm: 'json',
  preview: 'json',
  password_hash: 'text',
  starts_at: 'time',
  expires_at: 'time',
  expired_destination: 'text',
  click_limit: 'integer',
  match_window_seconds: 'integer',
  batch_id: 'text',
  scanned_at: 'time',
  created_at: 'time',
  updated_at: 'time',
} as const;
const NAMES = Object.keys(COLUMNS).join(', ');
const ATTRIBUTES = Object.entries(COLUMNS).map(([name, kind]) => ({
  name: name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  kind,
}));

/** The ids of those that landed: the others met a used slug or external id, also one earlier in the list. */
async function write(drafts: Draft[], transaction: Transaction): Promise<Set<string>> {
  const landed = new Set<string>();
  const statement = `INSERT INTO links (${NAMES}) SELECT ${NAMES} FROM given WHERE true ON CONFLICT DO NOTHING RETURNING id`;
  const rows = await mapSliced(drafts, ({ values }) => ATTRIBUTES.map(({ name, kind }) => stored(values[name], kind)));
  for (const part of statementParts(rows)) {
    const written = await withJsonRows<{ id: string }>(COLUMNS, part, statement, transaction);
    for (const { id } of written) landed.add(id);
  }
  return landed;
}

function stored(value: unknown, kind: string): unknown {
  if (value === null || value === undefined) return null;
  if (kind === 'json') return JSON.stringify(value);
  return value instanceof Date ? sqlTime(value.getTime()) : value;
}

/** Why links did not land. Those without a reason may try again: a generated slug was used, or what stood in the way is gone. */
async function refusalsOf(
  missed: Draft[],
  transaction: Transaction,
  mayRetry: boolean,
): Promise<Map<Draft, CodedError>> {
  const refusals = new Map<Draft, CodedError>();
  const used = await withJsonRows<{ id: string; by_slug: boolean; by_external_id: boolean }>(
    { id: 'text', domain: 'text', slug: 'text', project_id: 'text', external_id: 'text' },
    missed.map(({ values }) => [values.id, values.domain, values.slug, values.projectId, values.externalId]),
    `SELECT given.id AS id, EXISTS (SELECT 1 FROM links WHERE links.project_id = given.project_id
              AND links.external_id = given.external_id) AS by_external_id,
            EXISTS (SELECT 1 FROM links WHERE links.domain = given.domain AND links.slug = given.slug) AS by_slug
       FROM given`,
    transaction,
  );
  const reasons = new Map(used.map((row) => [row.id, row]));
  for (const one of missed) {
    const { values, prepared } = one;
    const reason = reasons.get(values.id);
    if (reason?.by_external_id) refusals.set(one, externalIdTaken(values.externalId ?? ''));
    else if (!mayRetry || (reason?.by_slug && prepared.input.slug)) refusals.set(one, slugTaken(values));
  }
  return refusals;
}
