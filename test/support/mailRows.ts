import { raiseAlert } from '../../src/alerts/raiseAlert.ts';
import type { Transaction } from '../../src/db/sequelize.ts';
import { inTransaction } from '../../src/db/transactions.ts';
import { newId } from '../../src/kernel/ids.ts';
import { type NewMail, queueMails } from '../../src/mail/mailQueue.ts';
import { sendMails } from '../../src/mail/sendMails.ts';
import type { Alert } from '../../src/models/Alert.ts';
import { Mail } from '../../src/models/Mail.ts';
import { Membership, type Role } from '../../src/models/Membership.ts';
import { Team } from '../../src/models/Team.ts';
import { User } from '../../src/models/User.ts';

export interface Person {
  userId: string;
  email: string;
}

/** A mail that waits; gives its row. */
export async function queueMail(address: string, more: Partial<NewMail> = {}): Promise<Mail> {
  const content = { subject: 'Subject', text: 'Text', html: '<p>HTML</p>' };
  const mail: NewMail = { kind: 'password_reset', address, reference: newId('mail'), ...content, ...more };
  await inTransaction((transaction) => queueMails(transaction, [mail]));
  const row = await Mail.findOne({ where: { reference: mail.reference } });
  if (!row) throw new Error('No mail was queued');
  return row;
}

/** Hands over what is due, as the job does. */
export function sendDue(): Promise<void> {
  return sendMails(new AbortController().signal);
}

export async function makeTeam(name = 'Team'): Promise<string> {
  const id = newId('team');
  await inTransaction((transaction) => Team.create({ id, name }, { transaction }));
  return id;
}

/** Somebody in that team who cannot sign in. */
export async function makeMember(teamId: string, role: Role, mailKinds: string[] | null = null): Promise<Person> {
  const userId = newId('usr');
  const email = `${role}-${userId}@example.com`;
  await inTransaction(async (transaction) => {
    await User.create({ id: userId, email, passwordHash: '' }, { transaction });
    await Membership.create({ teamId, userId, role, mailKinds }, { transaction });
  });
  return { userId, email };
}

type AlertFields = Partial<Parameters<typeof raiseAlert>[1]>;

/** An alert with its event and its mails. */
export function raise(teamId: string, more: AlertFields = {}): Promise<Alert | null> {
  return inTransaction((transaction) => raiseIn(transaction, teamId, more));
}

export function raiseIn(transaction: Transaction, teamId: string, more: AlertFields = {}): Promise<Alert | null> {
  const alert = { kind: 'health', severity: 'warning', title: 'Title', message: 'Message' } as const;
  return raiseAlert(transaction, { teamId, projectId: null, ...alert, incident: newId('alt'), ...more });
}
