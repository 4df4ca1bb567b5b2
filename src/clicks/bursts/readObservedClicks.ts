import { query } from '../../db/query.ts';
import { clickStore } from '../chosenStore.ts';
import type { AddressClick } from '../clickStores.ts';
import type { TeamCheck } from './PendingChecks.ts';
import type { Span } from './Trail.ts';

/** A stored click of a person, or of what was taken for one. */
export interface StoredClick extends AddressClick {
  teamId: string;
}

/** An address, as seen by a team. */
export interface TeamAddress {
  teamId: string;
  addressHash: string;
}

/** Enough to find the bursts of some addresses; more rows would block the process. */
const MOST = 10_000;

/** The clicks of these addresses within the span, newest first. */
export async function readObservedClicks({ teamId, addressHashes, span }: TeamCheck): Promise<StoredClick[]> {
  const projectIds = await projectsOf(teamId);
  const clicks = await clickStore().readAddresses({
    projectIds,
    span,
    addressHashes,
    which: 'observed',
    order: 'newest',
    most: MOST,
  });
  return clicks.map((click) => ({ ...click, teamId }));
}

/** The clicks of an address that count as people's, oldest first, at most `most`. */
export async function readHumanClicks(
  { teamId, addressHash }: TeamAddress,
  span: Span,
  most: number,
): Promise<StoredClick[]> {
  const projectIds = await projectsOf(teamId);
  const addressHashes = [addressHash];
  const wanted = { projectIds, span, addressHashes, which: 'human', order: 'oldest', most } as const;
  return (await clickStore().readAddresses(wanted)).map((click) => ({ ...click, teamId }));
}

/** The clicks on all teams' links in the `lengthMs` before the newest stored click. */
export async function readLatestClicks(lengthMs: number): Promise<StoredClick[]> {
  const newest = await clickStore().newestTimes();
  const toMs = Math.max(0, ...newest.values());
  const recent = [...newest].filter(([, newestMs]) => newestMs >= toMs - lengthMs).map(([id]) => id);
  const teams = await teamsOf(recent);
  const clicks = await clickStore().readAddresses({
    projectIds: [...teams.keys()],
    span: { fromMs: toMs - lengthMs, toMs },
    addressHashes: null,
    which: 'observed',
    order: 'newest',
    most: MOST,
  });
  return clicks.map((click) => ({ ...click, teamId: teams.get(click.projectId) as string }));
}

async function projectsOf(teamId: string): Promise<string[]> {
  const rows = await query<{ id: string }>('SELECT id FROM projects WHERE team_id = :teamId AND deletion_at IS NULL', {
    teamId,
  });
  return rows.map(({ id }) => id);
}

/** The teams of those of the projects that have not been deleted. */
async function teamsOf(projectIds: readonly string[]): Promise<Map<string, string>> {
  if (projectIds.length === 0) return new Map();
  const rows = await query<{ id: string; team_id: string }>(
    'SELECT id, team_id FROM projects WHERE id IN (:projectIds) AND deletion_at IS NULL',
    { projectIds },
  );
  return new Map(rows.map(({ id, team_id }) => [id, team_id]));
}
