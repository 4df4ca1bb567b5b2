import type { CsvRow } from '../../imports/readCsv.ts';
import { columnOf, readRow } from '../../imports/readRow.ts';
import { wholeUtm } from '../../imports/wholeUtm.ts';
import { CodedError } from '../../kernel/errors.ts';
import { slugTaken } from '../links/duplicates.ts';
import { parseLinkRow } from '../links/parseLinkRow.ts';
import { prepareLinks } from '../links/prepareLinks.ts';
import { decideUpdates } from './decideUpdates.ts';
import { type Candidate, type Decision, fieldProblems, problemsOf, type RowResult, settled } from './decision.ts';
import { findNamed, type LinkNames, namesIn } from './findNamed.ts';
import type { ImportRun } from './importRun.ts';

export interface Decided {
  decisions: Decision[];
  /** What other rows would have in common with these if they named the same links. */
  marks: ReadonlySet<string>;
}

/**
 * What will become of the next rows, as far as can be said before their transaction. Ends before a row that names the
 * same link as one before it, or as those of `inHand`, which are being written: what becomes of that one decides about
 * it.
 */
export async function decideRows(run: ImportRun, rows: CsvRow[], inHand: ReadonlySet<string>): Promise<Decided> {
  const marks = new Set<string>();
  const read = untilRepeated(run, await readAll(run, rows), inHand, marks);
  const decided = read.map((row) => ('outcome' in row ? row : conflictOf(run, row)) ?? row) as (
    | RowResult
    | Candidate
  )[];
  const open = decided.filter((row) => 'names' in row);
  const creations = open.filter(({ named }) => !named);
  const updates = open.filter(({ named }) => named);
  const made = (await decideCreations(run, creations)).values();
  const changed = (await decideUpdates(run, updates)).values();
  const decisions = decided.map((row, at) => {
    const decision = 'outcome' in row ? row : ((row.named ? changed : made).next().value as Decision);
    return sayingWhich(decision, rows[at]?.shortUrl);
  });
  return { decisions, marks };
}

/** Of a row that is several links: which of them was not taken over. */
function sayingWhich(decision: Decision, shortUrl: string | undefined): Decision {
  if (!shortUrl || !('outcome' in decision)) return decision;
  const problems = decision.problems.map((problem) => {
    return problem.message.includes(shortUrl) ? problem : { ...problem, message: `${shortUrl}: ${problem.message}` };
  });
  return { ...decision, problems };
}

async function readAll({ project, plan, foreseen }: ImportRun, rows: CsvRow[]): Promise<(RowResult | Candidate)[]> {
  const read = rows.map(({ line, nth = 0, cells, shortUrl }): RowResult | Candidate => {
    const { link, problems, notes } = readRow(plan, cells, shortUrl);
    return problems.length > 0
      ? settled({ line, nth }, 'failed', problems)
      : { line, nth, notes, link, names: namesIn(project, link), named: null };
  });
  const candidates = read.filter((row) => 'names' in row);
  const named = await findNamed(
    project,
    candidates.map(({ names }) => names),
  );
  candidates.forEach((candidate, at) => {
    const known = marksOf(candidate.names).find((mark) => foreseen.has(mark));
    candidate.named =
      named[at] ??
      (known ? { linkId: null, by: known.startsWith('e') ? 'external_id' : 'slug', isForeign: false } : null);
  });
  return read;
}

/** Adds to `seen` what the rows that it gives are known by. */
function untilRepeated(
  run: ImportRun,
  rows: (RowResult | Candidate)[],
  inHand: ReadonlySet<string>,
  seen: Set<string>,
): (RowResult | Candidate)[] {
  const end = rows.findIndex((row) => {
    if ('outcome' in row || (row.named && run.claimed.onConflict !== 'update')) return false;
    const marks = [...marksOf(row.names), ...(row.named?.linkId ? [row.named.linkId] : [])];
    if (marks.some((mark) => seen.has(mark) || inHand.has(mark))) return true;
    for (const mark of marks) seen.add(mark);
    return false;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

/** What two rows that name the same link have in common. */
function marksOf({ externalId, domain, slug }: LinkNames): string[] {
  return [...(externalId === null ? [] : [`e ${externalId}`]), ...(slug === null ? [] : [`s ${domain}/${slug}`])];
}

/** What follows from a link's being there already; null when the row is to be made or changed. */
function conflictOf({ claimed, plan }: ImportRun, candidate: Candidate): RowResult | null {
  const { names, named, notes } = candidate;
  if (!named) return null;
  if (named.isForeign) {
    const { message } = slugTaken({ domain: names.domain, slug: names.slug ?? '' });
    return settled(candidate, 'failed', [{ column: columnOf(plan, 'slug'), message }]);
  }
  if (claimed.onConflict === 'update') return named.linkId === null ? settled(candidate, 'updated', notes) : null;
  const outcome = claimed.onConflict === 'skip' ? 'skipped' : 'failed';
  const problem = { column: columnOf(plan, named.by), message: 'There is this link already.' };
  return settled(candidate, outcome, [problem], named.linkId);
}

async function decideCreations(run: ImportRun, candidates: Candidate[]): Promise<Decision[]> {
  const parsed = candidates.map(({ link }) => parseLinkRow('create', newLink(link)));
  const inputs = parsed.flatMap((row) => ('input' in row ? [row.input] : []));
  const prepared = (await prepareLinks(run.project, inputs, 'wait')).values();
  return candidates.map((candidate, at): Decision => {
    const { line, nth, notes, link, names } = candidate;
    const row = parsed[at];
    if (!row || 'problems' in row) return settled(candidate, 'failed', fieldProblems(run.plan, row?.problems ?? []));
    const create = prepared.next().value;
    if (!create || create instanceof CodedError)
      return settled(candidate, 'failed', create ? problemsOf(run.plan, create) : []);
    if (run.claimed.dryRun) for (const mark of marksOf(names)) run.foreseen.add(mark);
    return { line, nth, notes, create, archived: link.archived === true };
  });
}

/** A row without what is said of links that are there alone. */
function newLink({ id, archived, utm, ...link }: Record<string, unknown>): Record<string, unknown> {
  return { ...link, utm: wholeUtm(utm, null) };
}
