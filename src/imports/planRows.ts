import { presentLink } from '../events/presentLink.ts';
import { CodedError } from '../kernel/errors.ts';
import { canonicalHost } from '../kernel/origins.ts';
import { slugTaken } from '../links/addressConflicts.ts';
import { type LinkChange, parseLinkRow } from '../links/linkInput.ts';
import { type LinkReferences, linksByIds } from '../links/linkStore.ts';
import { prepareChanges, prepareLinks } from '../links/prepareLinks.ts';
import type { Link } from '../models/Link.ts';
import { tagsOfLinks } from '../tags/linkTagStore.ts';
import type { CsvRow } from './csv.ts';
import { changedFields, mergedUtm } from './decideChanges.ts';
import {
  type Candidate,
  type Decision,
  fieldProblems,
  type ImportRun,
  problemsOf,
  type RowResult,
  rowResult,
} from './decision.ts';
import { findExisting, referencesIn } from './existingLinks.ts';
import { columnOf, readRow } from './readRow.ts';

const UNCHANGED = [{ column: '', message: 'The link is already as in this row.' }];
const DELETED = [{ column: '', message: 'The link was deleted during the import.' }];

interface PlannedRows {
  decisions: Decision[];
  /** What identifies the links of these rows: a later row with one of these keys is about the same link. */
  keys: ReadonlySet<string>;
}

/**
 * Decides what to do with the next rows, as far as possible before their transaction. Stops before a row about the same
 * link as an earlier one or as the rows in progress (`keysInProgress`), because their outcome decides about it.
 */
export async function planRows(
  run: ImportRun,
  rows: CsvRow[],
  keysInProgress: ReadonlySet<string>,
): Promise<PlannedRows> {
  const keys = new Set<string>();
  const read = untilRepeated(run, await readAll(run, rows), keysInProgress, keys);
  const decided = read.map((row) => ('outcome' in row ? row : decideConflict(run, row)) ?? row) as (
    | RowResult
    | Candidate
  )[];
  const open = decided.filter((row) => 'references' in row);
  const creations = open.filter(({ existing }) => !existing);
  const updates = open.filter(({ existing }) => existing);
  const created = (await planCreations(run, creations)).values();
  const changed = (await planUpdates(run, updates)).values();
  const decisions = decided.map((row, at) => {
    const decision = 'outcome' in row ? row : ((row.existing ? changed : created).next().value as Decision);
    return namingShortUrl(decision, rows[at]?.shortUrl);
  });
  return { decisions, keys };
}

/** Says in the problems of a row with several links which of them they are about. */
function namingShortUrl(decision: Decision, shortUrl: string | undefined): Decision {
  if (!shortUrl || !('outcome' in decision)) return decision;
  const problems = decision.problems.map((problem) => {
    return problem.message.includes(shortUrl) ? problem : { ...problem, message: `${shortUrl}: ${problem.message}` };
  });
  return { ...decision, problems };
}

/** Reads the cells of rows and finds the links that they refer to. */
async function readAll({ project, plan, plannedKeys }: ImportRun, rows: CsvRow[]): Promise<(RowResult | Candidate)[]> {
  const read = rows.map(({ line, nth = 0, cells, shortUrl }): RowResult | Candidate => {
    const { link, problems, notes } = readRow(plan, cells, shortUrl);
    return problems.length > 0
      ? rowResult({ line, nth }, 'failed', problems)
      : { line, nth, notes, link, references: referencesIn(project, link), existing: null };
  });
  const candidates = read.filter((row) => 'references' in row);
  const existing = await findExisting(
    project,
    candidates.map(({ references }) => references),
  );
  candidates.forEach((candidate, at) => {
    const key = keysOf(candidate.references).find((one) => plannedKeys.has(one));
    candidate.existing =
      existing[at] ??
      (key ? { linkId: null, by: key.startsWith('e') ? 'external_id' : 'slug', isForeign: false } : null);
  });
  return read;
}

/** The rows before the first one that repeats a link. Adds their keys to `seen`. */
function untilRepeated(
  run: ImportRun,
  rows: (RowResult | Candidate)[],
  keysInProgress: ReadonlySet<string>,
  seen: Set<string>,
): (RowResult | Candidate)[] {
  const end = rows.findIndex((row) => {
    if ('outcome' in row || (row.existing && run.claimed.onConflict !== 'update')) return false;
    const keys = [...keysOf(row.references), ...(row.existing?.linkId ? [row.existing.linkId] : [])];
    if (keys.some((key) => seen.has(key) || keysInProgress.has(key))) return true;
    for (const key of keys) seen.add(key);
    return false;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

/** What two rows about the same link have in common: an external id or an address. */
function keysOf({ externalId, domain, slug }: LinkReferences): string[] {
  return [...(externalId === null ? [] : [`e ${externalId}`]), ...(slug === null ? [] : [`s ${domain}/${slug}`])];
}

/** The result of a row whose link exists, by the import's `onConflict`; null when the row creates or changes a link. */
function decideConflict({ claimed, plan }: ImportRun, candidate: Candidate): RowResult | null {
  const { references, existing, notes } = candidate;
  if (!existing) return null;
  if (existing.isForeign) {
    const { message } = slugTaken({ domain: references.domain, slug: references.slug ?? '' });
    return rowResult(candidate, 'failed', [{ column: columnOf(plan, 'slug'), message }]);
  }
  if (claimed.onConflict === 'update') {
    return existing.linkId === null ? rowResult(candidate, 'updated', notes) : null;
  }
  const outcome = claimed.onConflict === 'skip' ? 'skipped' : 'failed';
  const problem = { column: columnOf(plan, existing.by), message: 'The link exists already.' };
  return rowResult(candidate, outcome, [problem], existing.linkId);
}

async function planCreations(run: ImportRun, candidates: Candidate[]): Promise<Decision[]> {
  const parsed = candidates.map(({ link }) => parseLinkRow('create', newLink(link)));
  const inputs = parsed.flatMap((row) => ('input' in row ? [row.input] : []));
  const prepared = (await prepareLinks(run.project, inputs, 'wait')).values();
  return candidates.map((candidate, at): Decision => {
    const { line, nth, notes, link, references } = candidate;
    const row = parsed[at];
    if (!row || 'problems' in row) return rowResult(candidate, 'failed', fieldProblems(run.plan, row?.problems ?? []));
    const create = prepared.next().value;
    if (!create || create instanceof CodedError)
      return rowResult(candidate, 'failed', create ? problemsOf(run.plan, create) : []);
    if (run.claimed.dryRun) for (const key of keysOf(references)) run.plannedKeys.add(key);
    return { line, nth, notes, create, archived: link.archived === true };
  });
}

/** A row without the fields that only an existing link can have. */
function newLink({ id, archived, utm, ...link }: Record<string, unknown>): Record<string, unknown> {
  return { ...link, utm: mergedUtm(utm, null) };
}

/** Decides rows whose links exist. A row that would change nothing is skipped. */
async function planUpdates(run: ImportRun, candidates: Candidate[]): Promise<Decision[]> {
  const ids = candidates.flatMap(({ existing }) => existing?.linkId ?? []);
  const links = await linksByIds(run.project, ids);
  const tags = await tagsOfLinks([...links.keys()]);
  const changes: { link: Link; input: LinkChange }[] = [];
  const results = candidates.map((candidate): Decision | null => {
    const link = links.get(candidate.existing?.linkId ?? '');
    if (!link) return rowResult(candidate, 'failed', DELETED);
    const names = (tags.get(link.id) ?? []).map(({ name }) => name);
    const changed = changedFields(canonical(candidate.link), presentLink(link, names));
    if (Object.keys(changed).length === 0) return rowResult(candidate, 'skipped', UNCHANGED, link.id);
    const row = parseLinkRow('update', changed);
    if ('problems' in row) return rowResult(candidate, 'failed', fieldProblems(run.plan, row.problems));
    changes.push({ link, input: row.input });
    return null;
  });
  const prepared = (await prepareChanges(run.project, changes, 'wait')).values();
  return candidates.map((candidate, at): Decision => {
    const result = results[at];
    if (result) return result;
    const change = prepared.next().value as Exclude<ReturnType<typeof prepared.next>['value'], undefined>;
    if (change instanceof CodedError) return rowResult(candidate, 'failed', problemsOf(run.plan, change));
    const { line, nth, notes } = candidate;
    return { line, nth, notes, change };
  });
}

/** With the domain as the store spells it, so that it can be compared. */
function canonical(link: Record<string, unknown>): Record<string, unknown> {
  return typeof link.domain === 'string' ? { ...link, domain: canonicalHost(link.domain) ?? link.domain } : link;
}
