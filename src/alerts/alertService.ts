import { authorizeProject, authorizeTeam, requireSession } from '../access/authorize.ts';
import { findOwned } from '../access/findOwned.ts';
import { ofLiveProject } from '../access/notDeleted.ts';
import type { Principal } from '../access/principal.ts';
import type { AuditAction } from '../audit/actions.ts';
import { recordAudit } from '../audit/recordAudit.ts';
import { findPage, type Page, type PageRequest } from '../db/paging.ts';
import { queryRaw } from '../db/query.ts';
import { literal, Op, type WhereOptions } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { now } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import { Alert } from '../models/Alert.ts';
import { ALERT_KINDS, wantsMail } from '../models/alertKinds.ts';
import { Membership } from '../models/Membership.ts';

interface AlertFilter {
  kind?: string | null;
  severity?: string | null;
  status?: string | null;
}

export type AlertStatus = 'open' | 'acknowledged' | 'resolved';

/** Each alert has exactly one of these statuses. */
const STATUS: Record<AlertStatus, WhereOptions> = {
  open: { acknowledgedAt: null, resolvedAt: null },
  acknowledged: { acknowledgedAt: { [Op.ne]: null }, resolvedAt: null },
  resolved: { resolvedAt: { [Op.ne]: null } },
};

/** Alerts of a project or, with `teamId`, all alerts of a team; newest first. Throws `not_found`. */
export async function listAlerts(
  principal: Principal,
  { projectId, teamId, limit, cursor, ...filter }: AlertFilter & PageRequest & AlertOwner,
): Promise<Page<Alert>> {
  const owner = await ownerOf(principal, { projectId, teamId });
  const where: WhereOptions[] = [owner, literal(ofLiveProject('"Alert"."project_id"'))];
  if (filter.kind) where.push({ kind: filter.kind });
  if (filter.severity) where.push({ severity: filter.severity });
  if (filter.status) where.push(STATUS[filter.status as AlertStatus]);
  const order = { attribute: 'createdAt', direction: 'DESC' } as const;
  return findPage(Alert, { [Op.and]: where }, { limit, cursor }, ['alerts', owner, filter], order);
}

export type AlertCounts = Record<Alert['severity'], number>;

/** Counts the open alerts of a project or of a team by severity. Throws `not_found`. */
export async function countAlerts(principal: Principal, asked: AlertOwner): Promise<AlertCounts> {
  const owner = await ownerOf(principal, asked);
  const [column, id] = 'projectId' in owner ? ['project_id', owner.projectId] : ['team_id', owner.teamId];
  const rows = await queryRaw<{ severity: Alert['severity']; count: number }>(
    `SELECT severity, COUNT(*) AS count FROM alerts
     WHERE ${column} = $1 AND resolved_at IS NULL AND acknowledged_at IS NULL AND ${ofLiveProject()} GROUP BY severity`,
    [id],
  );
  const counts: AlertCounts = { info: 0, warning: 0, critical: 0 };
  for (const { severity, count } of rows) counts[severity] = Number(count);
  return counts;
}

/** The alert, for principals that may read it. Throws `not_found`. */
export function readAlert(principal: Principal, id: string): Promise<Alert> {
  return findOwned(Alert, principal, 'alerts:read', id, 'alert');
}

/** Marks the alert as seen. Safe to repeat: the first time is kept. Throws `not_found`. */
export function acknowledgeAlert(principal: Principal, id: string): Promise<Alert> {
  return changeAlert(principal, id, 'alert.acknowledged', ({ acknowledgedAt }) =>
    acknowledgedAt ? null : { acknowledgedAt: now() },
  );
}

/** Resolves the alert by hand; safe to repeat. If the cause persists, a new alert is raised. Throws `not_found`. */
export function closeAlert(principal: Principal, id: string): Promise<Alert> {
  return changeAlert(principal, id, 'alert.resolved', ({ resolvedAt }) => (resolvedAt ? null : { resolvedAt: now() }));
}

/** Whether the member gets mails for alerts of this kind. */
export interface MailPreference {
  kind: Alert['kind'];
  about: string;
  on: boolean;
}

/** Which alerts of the team are mailed to the signed-in member. Throws `not_found`. */
export async function mailPreferences(principal: Principal, teamId: string): Promise<MailPreference[]> {
  const { userId, roles } = requireSession(principal);
  const membership = roles.has(teamId) ? await Membership.findOne({ where: { teamId, userId } }) : null;
  return preferencesOf(membership);
}

/**
 * Sets the kinds that are mailed to the signed-in member; null restores the default of their role. Any member may do so,
 * even while the team is read-only, since it changes nothing for others. Throws `not_found`.
 */
export async function setMailPreferences(
  principal: Principal,
  teamId: string,
  kinds: string[] | null,
): Promise<MailPreference[]> {
  const { userId, roles } = requireSession(principal);
  if (!roles.has(teamId)) throw notFound('team');
  return inTransaction(async (transaction) => {
    const membership = await Membership.findOne({
      where: { teamId, userId },
      transaction,
      lock: transaction.LOCK.UPDATE,
    });
    await membership?.update({ mailKinds: kinds }, { transaction });
    return preferencesOf(membership);
  });
}

function preferencesOf(membership: Membership | null): MailPreference[] {
  if (!membership) throw notFound('team');
  return (Object.entries(ALERT_KINDS) as [Alert['kind'], string][]).map(([kind, about]) => ({
    kind,
    about,
    on: wantsMail(membership, kind),
  }));
}

/** Applies the change that `decide` returns for the locked alert, with an audit entry; null changes nothing. */
async function changeAlert(
  principal: Principal,
  id: string,
  action: AuditAction,
  decide: (alert: Alert) => Partial<Alert> | null,
): Promise<Alert> {
  const found = await findOwned(Alert, principal, 'alerts:write', id, 'alert');
  return inTransaction(async (transaction) => {
    const alert = await Alert.findByPk(found.id, { transaction, lock: transaction.LOCK.UPDATE });
    if (!alert) throw notFound('alert');
    const change = decide(alert);
    if (!change) return alert;
    const { teamId, projectId, title } = alert;
    await recordAudit(transaction, principal, { action, teamId, projectId, subjectId: alert.id, subjectName: title });
    return alert.update(change, { transaction });
  });
}

interface AlertOwner {
  projectId?: string | null;
  teamId?: string | null;
}

/** Authorizes the principal for the project or team and returns it as a condition. Throws `not_found`. */
async function ownerOf(
  principal: Principal,
  { projectId, teamId }: AlertOwner,
): Promise<{ projectId: string } | { teamId: string }> {
  if (projectId) return { projectId: (await authorizeProject(principal, 'alerts:read', projectId)).id };
  return { teamId: (await authorizeTeam(principal, 'alerts:read', teamId ?? '')).id };
}
