import { ofLiveProject } from '../access/notDeleted.ts';
import { operatorProjectId } from '../access/operatorTeams.ts';
import { SHOWN_VISITOR } from '../clicks/clickStore.ts';
import { deleteOldest } from '../db/deleteOldest.ts';
import type { ColumnKind } from '../db/dialects.ts';
import { insertInto, sqlTime, withJsonRows } from '../db/jsonRows.ts';
import type { ProjectTable } from '../db/projectRows.ts';
import { queryRaw } from '../db/query.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { firstIdAt } from '../kernel/ids.ts';
import { leadingSlugs } from '../routing/slug.ts';
import type { OrphanRow } from './OrphanTally.ts';

const COLUMNS: [name: string, kind: ColumnKind, value: (orphan: OrphanRow) => unknown][] = [
  ['id', 'text', ({ id }) => id],
  ['project_id', 'text', ({ projectId }) => projectId],
  ['domain', 'text', ({ domain }) => domain],
  ['slug', 'text', ({ slug }) => slug],
  ['occurred_at', 'time', ({ occurredAt }) => sqlTime(occurredAt)],
  ['traffic_class', 'text', ({ trafficClass }) => trafficClass],
  ['country', 'text', ({ country }) => country],
  ['region', 'text', ({ region }) => region],
  ['city', 'text', ({ city }) => city],
  ['platform', 'text', ({ platform }) => platform],
  ['device', 'text', ({ device }) => device],
  ['browser', 'text', ({ browser }) => browser],
  ['language', 'text', ({ language }) => language],
  ['referrer_host', 'text', ({ referrerHost }) => referrerHost],
  ['visitor', 'text', ({ visitor }) => visitor],
  ['count', 'integer', ({ count }) => count],
];

const KINDS = Object.fromEntries(COLUMNS.map(([name, kind]) => [name, kind]));

/** What archives have of orphans. */
export const ARCHIVED_ORPHANS: ProjectTable = {
  name: 'orphans',
  columns: KINDS,
  expressions: { visitor: SHOWN_VISITOR },
};

/**
 * Returns a function that writes orphans and skips those already written. Orphans of the shared domain are assigned to
 * the operator's oldest project, and dropped when the operator has none.
 */
export function orphanInserter(): (orphans: readonly OrphanRow[]) => Promise<void> {
  return async (orphans) => {
    if (orphans.length === 0) return;
    const shared = orphans.filter(({ projectId }) => projectId === null);
    const operators = shared.length > 0 ? await operatorProjectId() : null;
    const hidden = operators === null ? new Set() : await addressesOfDeleted(shared);
    const rows = orphans.flatMap((orphan) => {
      const isHidden = orphan.projectId === null && hidden.has(orphan.slug);
      const projectId = isHidden ? null : (orphan.projectId ?? operators);
      return projectId === null ? [] : [COLUMNS.map(([, , value]) => value({ ...orphan, projectId }))];
    });
    const onConflict = 'ON CONFLICT (id) DO NOTHING';
    await inTransaction((transaction) => insertInto('orphans', KINDS, rows, { transaction, onConflict }));
  };
}

/**
 * The slugs that a link of a deleted project has, or begins with such a slug. They are secrets of that project's team, and
 * not the operator's. Redirects do not know: for them there is no link.
 */
async function addressesOfDeleted(shared: readonly OrphanRow[]): Promise<Set<string | null>> {
  const candidates = shared.flatMap(({ domain, slug }) =>
    slug === null ? [] : [slug, ...shorterSlugs(slug)].map((candidate) => [domain, slug, candidate]),
  );
  const found = await withJsonRows<{ asked: string }>(
    { domain: 'text', asked: 'text', slug: 'text' },
    candidates,
    `SELECT DISTINCT asked FROM given WHERE EXISTS (SELECT 1 FROM links
       WHERE links.domain = given.domain AND links.slug = given.slug AND NOT ${ofLiveProject('links.project_id')})`,
  );
  return new Set(found.map(({ asked }) => asked));
}

/** The slugs of links that would have forwarded the path. */
function shorterSlugs(slug: string): string[] {
  return [...leadingSlugs(`/${slug}`)].map((leading) => leading.slug);
}

/** Deletes a batch of orphans older than the retention of clicks. Returns whether there may be more. */
export async function purgeOrphans(batch: number): Promise<boolean> {
  const before = clock.now() - config.clickRetentionDays * DAY_MS;
  const values = [firstIdAt('orp', before), sqlTime(before)];
  const old = { table: 'orphans', where: 'id < $1 AND occurred_at < $2', values, oldestBy: 'id' };
  return (await deleteOldest({ ...old, batch })) === batch;
}

/** A slug that no link had when it was asked for. Milliseconds since the epoch. */
export interface UnknownLink {
  domain: string;
  slug: string;
  /** Requests of all kinds. */
  count: number;
  /** Visitors who are people; somebody who comes on two days counts twice, because nobody is followed from day to day. */
  visitors: number;
  lastAt: Date;
}

/** The slugs that were asked for most often in a range, and how often all were. Requests of a flood have no slug. */
export async function readUnknownLinks(
  projectId: string,
  { fromMs, toMs, limit }: { fromMs: number; toMs: number; limit: number },
): Promise<{ rows: UnknownLink[]; total: number }> {
  const where = 'project_id = $1 AND occurred_at >= $2 AND occurred_at < $3';
  const values = [projectId, sqlTime(fromMs), sqlTime(toMs)];
  const rows = await queryRaw<Record<'domain' | 'slug', string> & Record<'tries' | 'people' | 'last', string>>(
    `SELECT domain, slug, SUM(count) AS tries, COUNT(DISTINCT CASE WHEN traffic_class = 'human' THEN visitor END) AS people,
       MAX(occurred_at) AS last
     FROM orphans WHERE ${where} AND slug IS NOT NULL GROUP BY domain, slug
     ORDER BY tries DESC, last DESC, domain, slug LIMIT ${limit}`,
    values,
  );
  const [all] = await queryRaw<{ total: string }>(
    `SELECT COALESCE(SUM(count), 0) AS total FROM orphans WHERE ${where}`,
    values,
  );
  return {
    total: Number(all?.total ?? 0),
    rows: rows.map(({ domain, slug, tries, people, last }) => ({
      domain,
      slug,
      count: Number(tries),
      visitors: Number(people),
      lastAt: new Date(last),
    })),
  };
}
