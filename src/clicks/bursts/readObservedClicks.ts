import { sqlTime } from '../../db/jsonRows.ts';
import { query } from '../../db/query.ts';
import type { ObservedClick } from './BurstDetector.ts';
import type { TeamCheck } from './PendingChecks.ts';
import type { Span } from './Trail.ts';

/** A stored click of a person, or of what was taken for one. */
export interface StoredClick extends ObservedClick {
  id: string;
  projectId: string;
  isHuman: boolean;
}

/** An address, as seen by a team. */
export interface TeamAddress {
  teamId: string;
  addressHash: string;
}

interface Row {
  id: string;
  project_id: string;
  link_id: string;
  address_hash: string;
  occurred_at: string | Date;
  traffic_class: string;
}

const OBSERVED = `(traffic_class = 'human' OR traffic_reason = 'burst')`;

/** Enough to find the bursts of some addresses; more rows would block the process. */
const MOST = 10_000;

/** The clicks of these addresses within the span, newest first. */
export async function readObservedClicks({ teamId, addressHashes, span }: TeamCheck): Promise<StoredClick[]> {
  const rows = await queryClicks(await projectsOf(teamId), span, {
    only: `AND address_hash IN (:addressHashes) AND ${OBSERVED} ORDER BY occurred_at DESC LIMIT ${MOST}`,
    replacements: { addressHashes },
  });
  return rows.map((row) => observedClick(row, teamId));
}

/** The clicks of an address that count as people's, oldest first, at most `most`. */
export async function readHumanClicks(
  { teamId, addressHash }: TeamAddress,
  span: Span,
  most: number,
): Promise<StoredClick[]> {
  const rows = await queryClicks(await projectsOf(teamId), span, {
    only: `AND address_hash = :addressHash AND traffic_class = 'human' ORDER BY occurred_at LIMIT :most`,
    replacements: { addressHash, most },
  });
  return rows.map((row) => observedClick(row, teamId));
}

/** The clicks on all teams' links in the `lengthMs` before the newest stored click. */
export async function readLatestClicks(lengthMs: number): Promise<StoredClick[]> {
  const projects = await query<{ id: string; team_id: string; newest: string | Date | null }>(
    'SELECT id, team_id, (SELECT MAX(occurred_at) FROM clicks WHERE project_id = projects.id) AS newest FROM projects WHERE deletion_at IS NULL',
  );
  const clicked = projects.flatMap(({ newest, ...project }) =>
    newest === null ? [] : [{ ...project, newestMs: timeOf(newest) }],
  );
  const toMs = clicked.reduce((latest, { newestMs }) => Math.max(latest, newestMs), 0);
  const recent = clicked.filter(({ newestMs }) => newestMs >= toMs - lengthMs);
  const teams = new Map(recent.map(({ id, team_id }) => [id, team_id]));
  const rows = await queryClicks(
    [...teams.keys()],
    { fromMs: toMs - lengthMs, toMs },
    {
      only: `AND ${OBSERVED} ORDER BY occurred_at DESC LIMIT ${MOST}`,
      replacements: {},
    },
  );
  return rows.map((row) => observedClick(row, teams.get(row.project_id) as string));
}

async function projectsOf(teamId: string): Promise<string[]> {
  const rows = await query<{ id: string }>('SELECT id FROM projects WHERE team_id = :teamId AND deletion_at IS NULL', {
    teamId,
  });
  return rows.map(({ id }) => id);
}

/** By project and time, as the index is. Projects are listed by id, because a join may be planned to read all clicks. */
async function queryClicks(
  projectIds: string[],
  { fromMs, toMs }: Span,
  { only, replacements }: { only: string; replacements: Record<string, unknown> },
): Promise<Row[]> {
  if (projectIds.length === 0) return [];
  return query<Row>(
    `SELECT id, project_id, link_id, address_hash, occurred_at, traffic_class FROM clicks
     WHERE project_id IN (:projectIds) AND occurred_at >= :from AND occurred_at <= :to ${only}`,
    { ...replacements, projectIds, from: sqlTime(fromMs), to: sqlTime(toMs) },
  );
}

function observedClick(row: Row, teamId: string): StoredClick {
  return {
    id: row.id,
    teamId,
    projectId: row.project_id,
    linkId: row.link_id,
    addressHash: row.address_hash,
    occurredAt: timeOf(row.occurred_at),
    isHuman: row.traffic_class === 'human',
  };
}

function timeOf(moment: string | Date): number {
  return new Date(moment).getTime();
}
