import { wantsMail } from '../alerts/wantsMail.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { lockNames } from '../db/lockNames.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import type { Alert } from '../models/Alert.ts';
import { Membership } from '../models/Membership.ts';
import { queueMails } from './queueMails.ts';
import { renderLetter } from './renderLetter.ts';
import { type DigestPart, TEMPLATES } from './templates.ts';

/** Persons whose alerts are looked at in one go. */
const MOST_PERSONS = 100;

/** Makes one mail for each person of the alerts that were held back for them for long enough. */
export async function bundleAlerts(): Promise<void> {
  const persons = await selectBound<{ user_id: string }>(
    `SELECT DISTINCT user_id FROM mails WHERE status = 'held' AND next_attempt_at <= $1 LIMIT ${MOST_PERSONS}`,
    [sqlTime(clock.now())],
  );
  for (const { user_id } of persons) {
    await inTransaction(async (transaction) => {
      await lockNames([`digest of ${user_id}`], transaction);
      await bundle(user_id, transaction);
    });
  }
}

/** All that are held, also those that came a moment ago: the next ones are gathered anew. */
async function bundle(userId: string, transaction: Transaction): Promise<void> {
  const held = await selectBound<{ id: string; address: string; reference: string }>(
    `DELETE FROM mails WHERE user_id = $1 AND status = 'held' RETURNING id, address, reference`,
    [userId],
    transaction,
  );
  const [first] = held;
  if (!first) return;
  const parts = await partsOf(userId, held, transaction);
  if (parts.length === 0) return;
  const mail = { kind: 'alert_digest', address: first.address, userId, reference: `digest:${first.id}` } as const;
  await queueMails(transaction, [{ ...mail, ...renderLetter(TEMPLATES.alert_digest({ parts })) }]);
}

interface Counted {
  team_id: string;
  team_name: string;
  kind: Alert['kind'];
  count: number;
}

/** How many of each team and kind that the person still wants; those of which there are most come first. */
async function partsOf(userId: string, held: { reference: string }[], transaction: Transaction): Promise<DigestPart[]> {
  const counted = await withJsonRows<Counted>(
    { id: 'text' },
    held.map(({ reference }) => [reference.split(':')[0]]),
    `SELECT teams.id AS team_id, teams.name AS team_name, alerts.kind, COUNT(*) AS count
     FROM given JOIN alerts ON alerts.id = given.id JOIN teams ON teams.id = alerts.team_id
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
