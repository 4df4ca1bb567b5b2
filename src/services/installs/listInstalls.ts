import { allowInProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { Op, type WhereOptions } from '../../db/sequelize.ts';
import { Install } from '../../models/Install.ts';
import { linkIdOf } from '../links/findLink.ts';
import { findPage, type Page, type PageRequest } from '../paging.ts';
import { type ShownInstall, shownInstall } from './shownInstall.ts';

export interface InstallFilter {
  /** Id of a link, also of a deleted one, or `ext_<external_id>`. */
  linkId?: string | null;
  /** From this moment on. */
  createdAfter?: Date | null;
  /** Before this moment. */
  createdBefore?: Date | null;
}

const NEWEST_FIRST = { attribute: 'createdAt', direction: 'DESC' } as const;

/** Installs of a project's apps, newest first. */
export async function listInstalls(
  principal: Principal,
  projectId: string,
  { limit, cursor, ...filter }: InstallFilter & PageRequest,
): Promise<Page<ShownInstall>> {
  await allowInProject(principal, 'installs:read', projectId);
  const where: WhereOptions[] = [{ projectId }];
  if (filter.linkId) where.push({ linkId: await linkIdOf(projectId, filter.linkId) });
  if (filter.createdAfter) where.push({ createdAt: { [Op.gte]: filter.createdAfter } });
  if (filter.createdBefore) where.push({ createdAt: { [Op.lt]: filter.createdBefore } });
  const question = ['installs', projectId, filter];
  const page = await findPage(Install, { [Op.and]: where }, { limit, cursor }, question, NEWEST_FIRST);
  return { ...page, data: page.data.map(shownInstall) };
}
