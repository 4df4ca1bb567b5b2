import type { Transaction } from '../../db/sequelize.ts';
import { now } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { Membership } from '../../models/Membership.ts';
import { Project } from '../../models/Project.ts';
import { Team } from '../../models/Team.ts';

interface NewTeam {
  name: string;
  ownerId: string;
  /** The limits of new accounts are not for it. */
  hasNoLimits: boolean;
}

/** Writes a team with its owner and a first project, which has no keys yet. Who may make it was decided before. */
export async function insertTeam(
  { name, ownerId, hasNoLimits }: NewTeam,
  transaction: Transaction,
): Promise<{ team: Team; project: Project }> {
  const team = await Team.create({ id: newId('team'), name, hasNoLimits, createdAt: now() }, { transaction });
  await Membership.create({ teamId: team.id, userId: ownerId, role: 'owner' }, { transaction });
  const row = { id: newId('prj'), teamId: team.id, name: 'My project', apps: [] };
  return { team, project: await Project.create(row, { transaction }) };
}
