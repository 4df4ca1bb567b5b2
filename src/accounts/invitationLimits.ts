import { Op, type Transaction, type WhereOptions } from '../db/sequelize.ts';
import { clock, inSeconds } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { CodedError } from '../kernel/errors.ts';
import { Invitation } from '../models/Invitation.ts';
import type { Team } from '../models/Team.ts';
import { pendingCondition } from './pendingInvitations.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/** Mails that a team may send to one person in a day: somebody who ignores the third does not want to join. */
const MAX_TO_ONE_A_DAY = 3;

interface NewInvitation {
  team: Team;
  email: string;
  invitedBy: string;
}

interface Limit {
  seconds: number;
  max: number;
  where: WhereOptions;
  /** Completes "At most … invitations". */
  words: string;
}

/**
 * Throws `account_limit_reached`, with the time when the limit eases, when too many invitations of the team are pending or
 * were sent lately: each is a mail to somebody who did not ask for it. The membership of the team must be locked.
 */
export async function refuseTooManyInvitations(invitation: NewInvitation, transaction: Transaction): Promise<void> {
  const { id: teamId } = invitation.team;
  const pending = await Invitation.count({ where: { teamId, ...pendingCondition() }, transaction });
  if (pending >= config.pendingInvitations) {
    const message = `A team has at most ${config.pendingInvitations} pending invitations. Revoke some of them first.`;
    throw new CodedError('account_limit_reached', message);
  }
  for (const limit of limitsOf(invitation)) await refuseOver(limit, transaction);
}

function limitsOf({ team, email, invitedBy }: NewInvitation): Limit[] {
  const { invitationsPerHour, newAccountInvitationsPerDay: maxOfNew, newAccountDays } = config;
  const [ofTeam, ofPerson] = [{ teamId: team.id }, { invitedBy }];
  const isNew = !team.hasNoLimits && clock.now() < team.createdAt.getTime() + newAccountDays * DAY_SECONDS * 1000;
  const always: Limit[] = [
    {
      seconds: DAY_SECONDS,
      max: MAX_TO_ONE_A_DAY,
      where: { ...ofTeam, email },
      words: 'are sent to one person in a day',
    },
    { seconds: HOUR_SECONDS, max: invitationsPerHour, where: ofTeam, words: 'of a team are sent in an hour' },
  ];
  // By person too, because teams are created quickly.
  const ofNew = (where: WhereOptions): Limit => ({
    seconds: DAY_SECONDS,
    max: maxOfNew,
    where,
    words: 'of a new account are sent in a day',
  });
  return isNew ? [ofNew(ofTeam), ofNew(ofPerson), ...always] : always;
}

async function refuseOver({ seconds, max, where, words }: Limit, transaction: Transaction): Promise<void> {
  const sent = await Invitation.findAll({
    attributes: ['createdAt'],
    where: { [Op.and]: [where, { createdAt: { [Op.gt]: inSeconds(-seconds) } }] },
    order: [['createdAt', 'DESC']],
    limit: max,
    transaction,
  });
  const oldest = sent[max - 1];
  if (!oldest) return;
  const eases = new Date(oldest.createdAt.getTime() + seconds * 1000).toISOString();
  throw new CodedError(
    'account_limit_reached',
    `At most ${max} invitations ${words}; the next can be sent from ${eases} on.`,
  );
}
