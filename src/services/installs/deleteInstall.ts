import { allowInProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { forgetInstall } from '../../apps/forgetInstall.ts';
import { loadInstall } from './loadInstall.ts';

/** Deletes all that is known of an install. Throws `not_found`. What is cut short can be done again. */
export async function deleteInstall(principal: Principal, projectId: string, id: string): Promise<boolean> {
  await allowInProject(principal, 'installs:write', projectId);
  await forgetInstall(await loadInstall(projectId, id));
  return true;
}
