import type { Transaction } from '../db/sequelize.ts';
import { PRESENTERS } from '../events/presenters.ts';
import { recordEvent } from '../events/recordEvent.ts';
import { newId } from '../kernel/ids.ts';
import { Alert } from '../models/Alert.ts';

/** What people should look at. `projectId` null: the whole team's; `tagIds`: of the link that it is about. */
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
 * Writes an alert and its `alert.created` in the transaction of the cause. Null, and nobody is told, when there is an
 * unresolved alert for the same incident already.
 */
export async function raiseAlert(
  transaction: Transaction,
  { tagIds = [], linkId = null, webhookId = null, details = {}, ...alert }: NewAlert,
): Promise<Alert | null> {
  const id = newId('alt');
  // The store decides who is first; a second row would end a transaction of PostgreSQL.
  await Alert.bulkCreate([{ ...alert, id, linkId, webhookId, details }], { ignoreDuplicates: true, transaction });
  const raised = await Alert.findByPk(id, { transaction });
  if (!raised) return null;
  const { teamId, projectId } = raised;
  await recordEvent(transaction, {
    type: 'alert.created',
    teamId,
    projectId,
    linkId,
    tagIds,
    data: PRESENTERS['alert.created'](raised),
  });
  return raised;
}
