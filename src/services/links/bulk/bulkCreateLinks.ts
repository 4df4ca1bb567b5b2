import { authorizeProject } from '../../../access/authorize.ts';
import type { Principal } from '../../../access/principal.ts';
import { takeRows } from '../../../access/quotas/quotas.ts';
import { inTransaction } from '../../../db/inTransaction.ts';
import { CodedError, validationFailed } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { mapSliced } from '../../../kernel/sliced.ts';
import type { Project } from '../../../models/Project.ts';
import { insertLinks } from '../insertLinks.ts';
import { refuseManyPasswords } from '../linkPasswords.ts';
import { type LinkRow, parseLinkRow } from '../parseLinkRow.ts';
import { type PreparedLink, prepareLinks } from '../prepareLinks.ts';
import { type BulkOutcome, finishBulk } from './finishBulk.ts';

/**
 * Makes links of a list, each by the rules of single creation: good ones land although others fail. One event for the
 * batch instead of one for each link.
 */
export async function bulkCreateLinks(
  principal: Principal,
  { projectId, links }: { projectId: string; links: LinkRow[] },
): Promise<BulkOutcome> {
  const project = await authorizeProject(principal, 'links:write', projectId);
  refuseManyPasswords(links);
  await takeRows(principal, links.length);
  const prepared = await prepareRows(project, links);
  const batchId = newId('bat');
  return inTransaction(async (transaction) => {
    const good = prepared.filter((one): one is PreparedLink => !(one instanceof CodedError));
    const made = (await insertLinks(project, good, { batchId }, transaction)).values();
    const results = prepared.map((one) => (one instanceof CodedError ? one : (made.next().value as CodedError)));
    return finishBulk(project, { principal, batchId, action: 'create', results }, transaction);
  });
}

async function prepareRows(project: Project, rows: LinkRow[]): Promise<(PreparedLink | CodedError)[]> {
  const parsed = await mapSliced(rows, (row) => parseLinkRow('create', row));
  const inputs = parsed.flatMap((row) => ('input' in row ? [row.input] : []));
  const prepared = (await prepareLinks(project, inputs)).values();
  return parsed.map((row) =>
    'input' in row ? (prepared.next().value as PreparedLink) : validationFailed(row.problems),
  );
}
