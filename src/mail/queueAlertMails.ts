import { wantsMail } from '../alerts/wantsMail.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { Alert } from '../models/Alert.ts';
import { Membership } from '../models/Membership.ts';
import { User } from '../models/User.ts';
import { isMailSet, queueMails } from './queueMails.ts';

/** Mails of a new alert to the members of its team that want them, in the transaction of the alert. */
export async function queueAlertMails(transaction: Transaction, alert: Alert): Promise<void> {
  if (!isMailSet()) return;
  const members = await Membership.findAll({ where: { teamId: alert.teamId }, transaction });
  const ids = members.filter((member) => wantsMail(member, alert.kind)).map(({ userId }) => userId);
  const users = await User.findAll({ attributes: ['id', 'email'], where: { id: ids }, transaction });
  await queueMails(
    transaction,
    users.map(({ id, email }) => ({
      kind: 'alert',
      address: email,
      userId: id,
      reference: alertReference(alert.id, id),
    })),
  );
}

/** One mail of an incident for each person. */
function alertReference(alertId: string, userId: string): string {
  return `${alertId}:${userId}`;
}
