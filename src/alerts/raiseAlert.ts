import type { Transaction } from '../db/sequelize.ts';
import { PRESENTERS } from '../events/presenters.ts';
import { recordEvent } from '../events/recordEvent.ts';
import { now } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { log } from '../kernel/log.ts';
import { queueAlertMails } from '../mail/queueAlertMails.ts';
import { Alert } from '../models/Alert.ts';
import { LinkTag } from '../models/LinkTag.ts';

/** What people should look at. `projectId` null: the whole team's; `tagIds`: of the link that it is about, else they are looked up. */
export interface NewAlert {
  teamId: string;
  projectId: string | null;
  kind: Alert['kind'];
  severity: Alert['severity'];
  title: string;
  message: string;
  linkId?: string | null;
  tagIds?: string[];
  webhookId?: string | null;
  details?: Record<string, unknown>;
  /** Names what it is about, such as `link_flagged:lnk_…`. */
  incident: string;
}

/**
 * Writes an alert, its `alert.created` and its mails in the transaction of the cause. Null, and nobody is told, when there is an
 * unresolved alert for the same incident already.
 */
export async function raiseAlert(
  transaction: Transaction,
  { tagIds, linkId = null, webhookId = null, details = {}, ...alert }: NewAlert,
): Promise<Alert | null> {
  const id = newId('alt');
  // The store decides who is first; a second row would end a transaction of PostgreSQL.
  const row = { ...alert, id, linkId, webhookId, details, createdAt: now() };
  await Alert.bulkCreate([row], { ignoreDuplicates: true, transaction });
  const raised = await Alert.findByPk(id, { transaction });
  if (!raised) return null;
  const { teamId, projectId } = raised;
  await recordEvent(transaction, {
    type: 'alert.created',
    teamId,
    projectId,
    linkId,
    tagIds: tagIds ?? (await tagsOf(linkId, transaction)),
    data: PRESENTERS['alert.created'](raised),
  });
  await queueAlertMails(transaction, raised);
  // Without a mail server this line is all that leaves the page of alerts.
  transaction.afterCommit(() => tellLog(raised));
  return raised;
}

/** Webhooks of a tag hear of every alert of a link that carries it. */
async function tagsOf(linkId: string | null, transaction: Transaction): Promise<string[]> {
  if (!linkId) return [];
  return (await LinkTag.findAll({ where: { linkId }, transaction })).map(({ tagId }) => tagId);
}

/** The message is the page's alone: it tells of URLs and of answers of others. */
function tellLog({ id, teamId, projectId, kind, severity, title, linkId, webhookId }: Alert): void {
  log.warn(
    { alert: id, kind, severity, title, team: teamId, project: projectId, link: linkId, webhook: webhookId },
    'alert',
  );
}
