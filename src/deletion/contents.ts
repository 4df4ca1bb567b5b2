import { BACKLOG } from '../clicks/backlogStore.ts';
import { hasClickHouse } from '../clicks/clickhouse/connection.ts';
import { countClicksOf } from '../clicks/clickhouse/readClicks.ts';
import { inList, inListValue } from '../db/dialects.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import { clock } from '../kernel/clock.ts';

/** How much would be deleted. */
export interface Contents {
  projects: number;
  links: number;
  domains: number;
  webhooks: number;
  /** Keys that work. */
  keys: number;
  /** Of a team; 0 for a project. */
  members: number;
  installs: number;
  /** Of all kinds of traffic, since the beginning. */
  clicks: number;
}

type Counted = Exclude<keyof Contents, 'projects' | 'members'>;

/** The SQL that counts what projects own: each is one scan of an index, or of a table with few rows. */
function countsOf(projects: string): Record<Counted, string> {
  const works = ['expires_at', 'revoked_at', 'revoke_at'].map((end) => `(${end} IS NULL OR ${end} > $2)`).join(' AND ');
  return {
    links: `SELECT COUNT(*) FROM links WHERE ${projects}`,
    domains: `SELECT COUNT(*) FROM domains WHERE ${projects}`,
    webhooks: `SELECT COUNT(*) FROM webhooks WHERE ${projects} AND deleted_at IS NULL`,
    keys: `SELECT COUNT(*) FROM api_keys WHERE ${projects} AND ${works}`,
    installs: `SELECT COUNT(*) FROM installs WHERE ${projects}`,
    // A block holds up to 50,000 clicks, and the backlog has few rows a quarter of an hour.
    clicks: `SELECT COALESCE((SELECT SUM(clicks) FROM click_blocks WHERE ${projects}), 0)
      + COALESCE((SELECT SUM(clicks) FROM ${BACKLOG} AS arrived WHERE ${projects}), 0)`,
  };
}

/** Counts what these projects own. */
export async function countContents(projectIds: readonly string[]): Promise<Contents> {
  const columns = Object.entries(countsOf(inList('project_id', '$1'))).map(([name, sql]) => `(${sql}) AS ${name}`);
  const values = [inListValue(projectIds), sqlTime(clock.now())];
  const [row] = await queryRaw<Record<Counted, string | number>>(`SELECT ${columns.join(', ')}`, values);
  const counts = Object.fromEntries(Object.entries(row ?? {}).map(([name, count]) => [name, Number(count)]));
  const contents = { projects: projectIds.length, members: 0, ...(counts as Record<Counted, number>) };
  return hasClickHouse() ? { ...contents, clicks: await countClicksOf(projectIds) } : contents;
}

/** What a team owns beside its projects. */
export async function countTeam(teamId: string): Promise<Pick<Contents, 'members' | 'webhooks'>> {
  const [row] = await queryRaw<{ members: number; webhooks: number }>(
    `SELECT (SELECT COUNT(*) FROM memberships WHERE team_id = $1) AS members,
       (SELECT COUNT(*) FROM webhooks WHERE team_id = $1 AND project_id IS NULL AND deleted_at IS NULL) AS webhooks`,
    [teamId],
  );
  return { members: Number(row?.members), webhooks: Number(row?.webhooks) };
}
