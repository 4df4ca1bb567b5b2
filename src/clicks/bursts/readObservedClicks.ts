import { select } from '../../db/database.ts';
import { sqlTime } from '../../db/jsonRows.ts';
import type { Followed } from './BurstDetector.ts';
import type { QuestionOfTeam } from './Questions.ts';
import type { Span } from './spans.ts';

/** A stored click that is a person's, or was taken for one. */
export interface StoredFollowed extends Followed {
  id: string;
  projectId: string;
  isHuman: boolean;
}

/** One address in a team. */
export interface Follower {
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

const FOLLOWED = `(traffic_class = 'human' OR traffic_reason = 'burst')`;

/** Enough to find the bursts of some addresses; more would hold up the process. */
const MOST = 10_000;

/** What these addresses followed within that time, newest first. */
export async function readFollowed({ teamId, addressHashes, span }: QuestionOfTeam): Promise<StoredFollowed[]> {
  const rows = await selectIn(await projectsOf(teamId), span, {
    only: `AND address_hash IN (:addressHashes) AND ${FOLLOWED} ORDER BY occurred_at DESC LIMIT ${MOST}`,
    replacements: { addressHashes },
  });
  return rows.map((row) => followed(row, teamId));
}

/** Clicks of an address that count as people's, oldest first, at most `most`. */
export async function readHuman(
  { teamId, addressHash }: Follower,
  span: Span,
  most: number,
): Promise<StoredFollowed[]> {
  const rows = await selectIn(await projectsOf(teamId), span, {
    only: `AND address_hash = :addressHash AND traffic_class = 'human' ORDER BY occurred_at LIMIT :most`,
    replacements: { addressHash, most },
  });
  return rows.map((row) => followed(row, teamId));
}

/** What was followed of all teams in so much time before the newest stored click. */
export async function readLatest(lengthMs: number): Promise<StoredFollowed[]> {
  const projects = await select<{ id: string; team_id: string; newest: string | Date | null }>(
    'SELECT id, team_id, (SELECT MAX(occurred_at) FROM clicks WHERE project_id = projects.id) AS newest FROM projects',
  );
  const clicked = projects.flatMap(({ newest, ...project }) =>
    newest === null ? [] : [{ ...project, newestMs: timeOf(newest) }],
  );
  const toMs = clicked.reduce((latest, { newestMs }) => Math.max(latest, newestMs), 0);
  const recent = clicked.filter(({ newestMs }) => newestMs >= toMs - lengthMs);
  const teams = new Map(recent.map(({ id, team_id }) => [id, team_id]));
  const rows = await selectIn(
    [...teams.keys()],
    { fromMs: toMs - lengthMs, toMs },
    {
      only: `AND ${FOLLOWED} ORDER BY occurred_at DESC LIMIT ${MOST}`,
      replacements: {},
    },
  );
  return rows.map((row) => followed(row, teams.get(row.project_id) as string));
}

async function projectsOf(teamId: string): Promise<string[]> {
  const rows = await select<{ id: string }>('SELECT id FROM projects WHERE team_id = :teamId', { teamId });
  return rows.map(({ id }) => id);
}

/** By project and time, as the index has it: projects are given by name, for a join may be planned to read all clicks. */
async function selectIn(
  projectIds: string[],
  { fromMs, toMs }: Span,
  { only, replacements }: { only: string; replacements: Record<string, unknown> },
): Promise<Row[]> {
  if (projectIds.length === 0) return [];
  return select<Row>(
    `SELECT id, project_id, link_id, address_hash, occurred_at, traffic_class FROM clicks
     WHERE project_id IN (:projectIds) AND occurred_at >= :from AND occurred_at <= :to ${only}`,
    { ...replacements, projectIds, from: sqlTime(fromMs), to: sqlTime(toMs) },
  );
}

function followed(row: Row, teamId: string): StoredFollowed {
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
