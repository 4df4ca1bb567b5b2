import type { Principal } from '../../access/principal.ts';
import { Op, type WhereOptions } from '../../db/sequelize.ts';
import { Alert } from '../../models/Alert.ts';
import { findPage, type Page, type PageRequest } from '../paging.ts';
import { type AlertOwner, ownerOf } from './ownerOf.ts';

export interface AlertFilter {
  kind?: string | null;
  status?: string | null;
}

/** What somebody has seen is acknowledged until it is over. */
const STATUS: Record<string, WhereOptions> = {
  open: { acknowledgedAt: null, resolvedAt: null },
  acknowledged: { acknowledgedAt: { [Op.ne]: null }, resolvedAt: null },
  resolved: { resolvedAt: { [Op.ne]: null } },
};

export const ALERT_STATUSES = Object.keys(STATUS);

/** Alerts of a project, or with `teamId` all of a team, also those of no project; newest first. */
export async function listAlerts(
  principal: Principal,
  { projectId, teamId, limit, cursor, ...filter }: AlertFilter & PageRequest & AlertOwner,
): Promise<Page<Alert>> {
  const owner = await ownerOf(principal, { projectId, teamId });
  const where: WhereOptions[] = [owner];
  if (filter.kind) where.push({ kind: filter.kind });
  if (filter.status) where.push(STATUS[filter.status] as WhereOptions);
  const order = { attribute: 'createdAt', direction: 'DESC' } as const;
  return findPage(Alert, { [Op.and]: where }, { limit, cursor }, ['alerts', owner, filter], order);
}
