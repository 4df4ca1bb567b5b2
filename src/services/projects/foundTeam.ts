import { recordAudit } from '../../audit/recordAudit.ts';
import type { Transaction } from '../../db/sequelize.ts';
import type { Team } from '../../models/Team.ts';
import { asPerson } from '../accounts/asPerson.ts';
import { insertTeam } from './insertTeam.ts';

/** What a team is called whose maker did not say. */
const DEFAULT_NAME = 'My team';

/** Makes a person's team, and notes it there. */
export async function foundTeam(
  { ownerId, name, hasNoLimits = false }: { ownerId: string; name?: string | null | undefined; hasNoLimits?: boolean },
  transaction: Transaction,
): Promise<Team> {
  const { team } = await insertTeam({ name: name?.trim() || DEFAULT_NAME, ownerId, hasNoLimits }, transaction);
  const about = { teamId: team.id, projectId: null, subjectId: team.id, subjectName: team.name };
  await recordAudit(transaction, asPerson(ownerId), { ...about, action: 'team.created' });
  return team;
}
