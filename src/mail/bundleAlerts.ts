import { ofLiveProject } from '../access/notDeleted.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction, lockRow } from '../db/transactions.ts';
import { clock } from '../kernel/clock.ts';
import type { Alert } from '../models/Alert.ts';
import { wantsMail } from '../models/alertKinds.ts';
import { Membership } from '../models/Membership.ts';
import type { DigestPart } from './mailFacts.ts';
import { queueMails, writeMail } from './mailQueue.ts';

/** People whose digests are written in one call; the next call takes the others. */
const MAX_PEOPLE = 100;

/** Replaces the alert mails that were held back for MAIL_DIGEST_SECONDS by one digest for each person. */
export async function bundleAlerts(): Promise<void> {
  const people = await queryRaw<{ user_id: string }>(
    `SELECT DISTINCT user_id FROM mails WHERE status = 'held' AND next_attempt_at <= $1 LIMIT ${MAX_PEOPLE}`,
    [sqlTime(clock.now())],
  );
  for (const { user_id } of people) {
    await inTransaction(async (transaction) => {
      await lockRow('users', user_id, transaction);
      await bundle(user_id, transaction);
    });
  }
}

/** Takes every held mail of the person, recent ones too: later alerts start a new digest. */
async function bundle(userId: string, transaction: Transaction): Promise<void> {
  const held = await queryRaw<{ id: string; address: string; reference: string }>(
    `DELETE FROM mails WHERE user_id = $1 AND status = 'held' RETURNING id, address, reference`,
    [userId],
    transaction,
  );
  const [first] = held;
  if (!first) return;
  const parts = await partsOf(userId, held, transaction);
  if (parts.length === 0) return;
  const recipient = { address: first.address, userId, reference: `digest:${first.id}` };
  await queueMails(transaction, [writeMail('alert_digest', recipient, { parts })]);
}

interface Counted {
  team_id: string;
  team_name: string;
  kind: Alert['kind'];
  count: number;
}

/** Counts the held alerts by team and kind, largest first, without those that the person no longer wants. */
async function partsOf(userId: string, held: { reference: string }[], transaction: Transaction): Promise<DigestPart[]> {
  const counted = await withJsonRows<Counted>(
    { id: 'text' },
    held.map(({ reference }) => [reference.split(':')[0]]),
    `SELECT teams.id AS team_id, teams.name AS team_name, alerts.kind, COUNT(*) AS count
     FROM given JOIN alerts ON alerts.id = given.id JOIN teams ON teams.id = alerts.team_id
     WHERE teams.deletion_at IS NULL AND ${ofLiveProject('alerts.project_id')}
     GROUP BY teams.id, teams.name, alerts.kind ORDER BY count DESC, team_id, kind`,
    transaction,
  );
  const memberships = await Membership.findAll({ where: { userId }, transaction });
  const wanted = counted.filter(({ team_id, kind }) => {
    const membership = memberships.find(({ teamId }) => teamId === team_id);
    return membership && wantsMail(membership, kind);
  });
  return wanted.map(({ team_id, team_name, kind, count }) => ({
    teamId: team_id,
    teamName: team_name,
    kind,
    count: Number(count),
  }));
}
