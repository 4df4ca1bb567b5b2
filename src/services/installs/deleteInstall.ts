import { allowInProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { forgetInstall } from '../../apps/forgetInstall.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { teamOf } from '../projects/teamOf.ts';
import { loadInstall } from './loadInstall.ts';

/**
 * Deletes all that is known of an install, so that not even the note about it names it. Throws `not_found`. What is cut
 * short can be done again.
 */
export async function deleteInstall(principal: Principal, projectId: string, id: string): Promise<boolean> {
  await allowInProject(principal, 'installs:write', projectId);
  await forgetInstall(await loadInstall(projectId, id), async (transaction) => {
    const { teamId } = await teamOf(projectId, transaction);
    await recordAudit(transaction, principal, { action: 'install.deleted', teamId, projectId });
  });
  return true;
}
