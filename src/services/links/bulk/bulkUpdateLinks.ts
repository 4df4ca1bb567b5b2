import { authorizeProject } from '../../../access/authorize.ts';
import type { Principal } from '../../../access/principal.ts';
import { takeRows } from '../../../access/quotas/quotas.ts';
import { inTransaction } from '../../../db/inTransaction.ts';
import { UniqueConstraintError } from '../../../db/sequelize.ts';
import { CodedError, notFound } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { changeLinks } from '../changeLinks.ts';
import type { LinkChange } from '../linkInput.ts';
import { type PreparedChange, prepareChanges } from '../prepareChanges.ts';
import { type BulkOutcome, finishBulk } from './finishBulk.ts';
import { linksByReference } from './linksByReference.ts';

/** How often a list is done anew whose new address somebody took in the moment between the look and the write. */
const TRIES = 3;

/** Makes the same change to many links: good ones are changed although others fail. */
export async function bulkUpdateLinks(
  principal: Principal,
  { projectId, ids, set }: { projectId: string; ids: string[]; set: LinkChange },
): Promise<BulkOutcome> {
  const project = await authorizeProject(principal, 'links:write', projectId);
  await takeRows(principal, ids.length);
  const found = await linksByReference(project, ids);
  const known = found.flatMap((link) => (link ? [{ link, input: set }] : []));
  const checked = (await prepareChanges(project, known)).values();
  const prepared = found.map((link) =>
    link ? (checked.next().value as PreparedChange | CodedError) : notFound('link'),
  );
  const good = prepared.filter((one): one is PreparedChange => !(one instanceof CodedError));
  const batchId = newId('bat');
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(async (transaction) => {
        const changed = (await changeLinks(project, good, transaction)).values();
        const results = prepared.map((one) => (one instanceof CodedError ? one : (changed.next().value as CodedError)));
        return finishBulk(project, { principal, batchId, action: 'update', results }, transaction);
      });
    } catch (error) {
      if (!(error instanceof UniqueConstraintError) || attempt === TRIES) throw error;
    }
  }
}
