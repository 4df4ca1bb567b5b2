import type { QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';
import { database } from '../connection/database.ts';

/**
 * Who created a webhook, and who last said where it sends to: the id of a user or key. Null for what the release before has
 * created, except where the audit log still names its author.
 */
export async function webhookMakers(tables: QueryInterface, transaction: Transaction): Promise<void> {
  for (const name of ['created_by', 'url_set_by']) {
    await tables.addColumn('webhooks', name, c.optionalText(), { transaction });
  }
  await database().query(
    `UPDATE webhooks SET created_by = made.actor_id, url_set_by = made.actor_id
     FROM (SELECT subject_id, MIN(actor_id) AS actor_id FROM audit_entries
       WHERE action = 'webhook.created' AND actor_id IS NOT NULL GROUP BY subject_id) AS made
     WHERE made.subject_id = webhooks.id`,
    { transaction },
  );
}
