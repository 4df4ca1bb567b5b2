import { Op, type Transaction, type WhereOptions } from '../../../db/sequelize.ts';
import { clock, inSeconds } from '../../../kernel/clock.ts';
import { config } from '../../../kernel/config.ts';
import { CodedError } from '../../../kernel/errors.ts';
import { Invitation } from '../../../models/Invitation.ts';
import type { Team } from '../../../models/Team.ts';
import { isPending } from './pendingInvitation.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/** Mails that a team sends to one person in a day: whoever did not answer the third one does not want to. */
const MOST_TO_ONE_A_DAY = 3;

interface NewInvitation {
  team: Team;
  email: string;
  invitedBy: string;
}

interface Limit {
  seconds: number;
  most: number;
  where: WhereOptions;
  /** After "at most … invitations". */
  words: string;
}

/**
 * Throws `account_limit_reached`, which says when it eases, when the team has enough invitations waiting or was sending too
 * many: each is a mail to somebody who did not ask for it. The members of the team are locked.
 */
export async function refuseTooMany(invitation: NewInvitation, transaction: Transaction): Promise<void> {
  const { id: teamId } = invitation.team;
  const pending = await Invitation.count({ where: { teamId, ...isPending() }, transaction });
  if (pending >= config.pendingInvitations) {
    const message = `At most ${config.pendingInvitations} invitations of a team wait at once. Take back some of them.`;
    throw new CodedError('account_limit_reached', message);
  }
  for (const limit of limitsOf(invitation)) await refuseOver(limit, transaction);
}

function limitsOf({ team, email, invitedBy }: NewInvitation): Limit[] {
  const { invitationsPerHour, newAccountInvitationsPerDay: mostOfNew, newAccountDays } = config;
  const [ofTeam, ofPerson] = [{ teamId: team.id }, { invitedBy }];
  const isNew = !team.hasNoLimits && clock.now() < team.createdAt.getTime() + newAccountDays * DAY_SECONDS * 1000;
  const always: Limit[] = [
    { seconds: DAY_SECONDS, most: MOST_TO_ONE_A_DAY, where: { ...ofTeam, email }, words: 'to one person in a day' },
    { seconds: HOUR_SECONDS, most: invitationsPerHour, where: ofTeam, words: 'of a team are sent in an hour' },
  ];
  // By person too: teams are made quickly.
  const ofNew = (where: WhereOptions): Limit => ({
    seconds: DAY_SECONDS,
    most: mostOfNew,
    where,
    words: 'of a new account are sent in a day',
  });
  return isNew ? [ofNew(ofTeam), ofNew(ofPerson), ...always] : always;
}

async function refuseOver({ seconds, most, where, words }: Limit, transaction: Transaction): Promise<void> {
  const sent = await Invitation.findAll({
    attributes: ['createdAt'],
    where: { [Op.and]: [where, { createdAt: { [Op.gt]: inSeconds(-seconds) } }] },
    order: [['createdAt', 'DESC']],
    limit: most,
    transaction,
  });
  const oldest = sent[most - 1];
  if (!oldest) return;
  const eases = new Date(oldest.createdAt.getTime() + seconds * 1000).toISOString();
  throw new CodedError('account_limit_reached', `At most ${most} invitations ${words}; the next from ${eases} on.`);
}
