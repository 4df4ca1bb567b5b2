import { authorizeProject } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { firstEventAt, type RangeInput, readRange } from '../analytics/readRange.ts';
import { type FieldProblem, validationFailed } from '../kernel/errors.ts';
import { Link } from '../models/Link.ts';
import { readUnknownLinks, type UnknownLink } from './orphanStore.ts';

/** Values that satisfy the rules of the API; missing ones have its defaults. */
export interface UnknownLinksInput extends RangeInput {
  projectId: string;
  limit?: number | null;
}

export interface UnknownLinksResult {
  start: Date;
  /** Exclusive. */
  end: Date;
  /** Requests in the range, those included that no row stands for. */
  total: number;
  /** Most frequent first. `linkId`: the link that has the slug by now. */
  data: (UnknownLink & { linkId: string | null })[];
}

/** A slug that people try is tried again within a month. */
const DEFAULT_INTERVAL = '30d';
const DEFAULT_LIMIT = 100;

/**
 * The slugs without a link that were asked for most often, on every domain of a project. Throws the errors of `authorizeProject`, and
 * `validation_failed` for a start, end and interval that make no range.
 */
export async function listUnknownLinks(
  principal: Principal,
  { projectId, interval, start, end, limit }: UnknownLinksInput,
): Promise<UnknownLinksResult> {
  const project = await authorizeProject(principal, 'analytics:read', projectId);
  const problems: FieldProblem[] = [];
  const wanted = { start, end, interval: interval ?? (start || end ? null : DEFAULT_INTERVAL) };
  const since = interval === 'all' ? Math.min(project.createdAt.getTime(), await firstEventAt(project.id)) : Number.NaN;
  const range = readRange(wanted, since, problems);
  if (problems.length > 0) throw validationFailed(problems);
  const found = await readUnknownLinks(project.id, {
    fromMs: range.start,
    toMs: range.end,
    limit: limit ?? DEFAULT_LIMIT,
  });
  const linkIds = await linkIdsOf(project.id, found.rows);
  return {
    start: new Date(range.start),
    end: new Date(range.end),
    total: found.total,
    data: found.rows.map((row) => ({ ...row, linkId: linkIds.get(addressOf(row)) ?? null })),
  };
}

/** Links of the project that have such a slug by now, by address. */
async function linkIdsOf(projectId: string, rows: readonly UnknownLink[]): Promise<Map<string, string>> {
  const links = await Link.findAll({
    attributes: ['id', 'domain', 'slug'],
    where: { projectId, domain: [...new Set(rows.map(({ domain }) => domain))], slug: rows.map(({ slug }) => slug) },
  });
  return new Map(links.map((link) => [addressOf(link), link.id]));
}

function addressOf({ domain, slug }: Pick<UnknownLink, 'domain' | 'slug'>): string {
  return `${domain}/${slug}`;
}
