import type { Transaction } from '../db/sequelize.ts';
import { PRESENTERS } from '../events/presenters.ts';
import { recordEvent } from '../events/recordEvent.ts';
import { now } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { log } from '../kernel/log.ts';
import { queueAlertMails } from '../mail/mailQueue.ts';
import { Alert } from '../models/Alert.ts';
import { LinkTag } from '../models/LinkTag.ts';

export interface NewAlert {
  teamId: string;
  /** Null for an alert of the whole team. */
  projectId: string | null;
  kind: Alert['kind'];
  severity: Alert['severity'];
  title: string;
  message: string;
  linkId?: string | null;
  /** Tags of the link; looked up when unset. */
  tagIds?: string[];
  webhookId?: string | null;
  details?: Record<string, unknown>;
  /** Identifies the cause, such as `link_flagged:lnk_…`: one incident has at most one unresolved alert. */
  incident: string;
}

/**
 * Writes an alert, its `alert.created` event and its mails in the transaction of the cause. Returns null and writes
 * nothing when the incident already has an unresolved alert.
 */
export async function raiseAlert(
  transaction: Transaction,
  { tagIds, linkId = null, webhookId = null, details = {}, ...alert }: NewAlert,
): Promise<Alert | null> {
  const id = newId('alt');
  // A unique index decides between concurrent alerts; a violation would abort the transaction on PostgreSQL.
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
  // Without a mail server the log is the only place outside the dashboard where an alert shows.
  transaction.afterCommit(() => logAlert(raised));
  return raised;
}

/** Webhooks that are scoped to a tag receive the alerts of its links. */
async function tagsOf(linkId: string | null, transaction: Transaction): Promise<string[]> {
  if (!linkId) return [];
  return (await LinkTag.findAll({ where: { linkId }, transaction })).map(({ tagId }) => tagId);
}

/** Without the message, which may hold customers' URLs and answers of their servers. */
function logAlert({ id, teamId, projectId, kind, severity, title, linkId, webhookId }: Alert): void {
  log.warn(
    { alert: id, kind, severity, title, team: teamId, project: projectId, link: linkId, webhook: webhookId },
    'alert',
  );
}

/** Resolves the open alert of the incident, if there is one. */
export async function resolveAlert(transaction: Transaction, incident: string): Promise<void> {
  await Alert.update({ resolvedAt: now() }, { where: { incident, resolvedAt: null }, transaction });
}
