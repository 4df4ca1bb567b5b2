import { allowInProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { loadInstall } from './loadInstall.ts';
import { type ShownInstall, shownInstall } from './shownInstall.ts';

/** One install. Throws `not_found` for those of others too. */
export async function findInstall(principal: Principal, projectId: string, id: string): Promise<ShownInstall> {
  await allowInProject(principal, 'installs:read', projectId);
  return shownInstall(await loadInstall(projectId, id));
}
