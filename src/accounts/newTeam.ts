import { personPrincipal } from '../access/principal.ts';
import { recordAudit } from '../audit/recordAudit.ts';
import type { Transaction } from '../db/sequelize.ts';
import { now } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { Membership } from '../models/Membership.ts';
import { Project } from '../models/Project.ts';
import { Team } from '../models/Team.ts';

/** The name of a team whose owner gave none. */
const DEFAULT_NAME = 'My team';

interface NewTeam {
  name: string;
  ownerId: string;
  /** Whether the team is exempt from the limits of new accounts. */
  hasNoLimits: boolean;
}

/** Creates a team that the person owns, and records that in its audit log. */
export async function createTeamFor(
  { ownerId, name, hasNoLimits = false }: { ownerId: string; name?: string | null | undefined; hasNoLimits?: boolean },
  transaction: Transaction,
): Promise<Team> {
  const { team } = await insertTeam({ name: name?.trim() || DEFAULT_NAME, ownerId, hasNoLimits }, transaction);
  const about = { teamId: team.id, projectId: null, subjectId: team.id, subjectName: team.name };
  await recordAudit(transaction, personPrincipal(ownerId), { ...about, action: 'team.created' });
  return team;
}

/** Inserts a team with its owner and a first project, which has no keys yet. The caller has checked that it may be created. */
export async function insertTeam(
  { name, ownerId, hasNoLimits }: NewTeam,
  transaction: Transaction,
): Promise<{ team: Team; project: Project }> {
  const team = await Team.create({ id: newId('team'), name, hasNoLimits, createdAt: now() }, { transaction });
  await Membership.create({ teamId: team.id, userId: ownerId, role: 'owner' }, { transaction });
  const row = { id: newId('prj'), teamId: team.id, name: 'My project', apps: [] };
  return { team, project: await Project.create(row, { transaction }) };
}
