import { wantsMail } from '../alerts/wantsMail.ts';
import { unsealFor } from '../db/sealedColumns.ts';
import { Alert } from '../models/Alert.ts';
import { Membership } from '../models/Membership.ts';
import { Project } from '../models/Project.ts';
import { Team } from '../models/Team.ts';
import type { ClaimedMail } from './claimMail.ts';
import type { MailContent } from './queueMails.ts';
import { renderLetter } from './renderLetter.ts';
import { TEMPLATES } from './templates.ts';

/**
 * What a mail says; of an alert it is written now, so that thousands of them cost nothing while they wait. Null: it is
 * not wanted any more, because its person left the team or chose other kinds.
 */
export async function contentOf({ id, kind, content, reference }: ClaimedMail): Promise<MailContent | null> {
  if (content !== null) return JSON.parse(unsealFor('mailContent', [id], content));
  if (kind !== 'alert') return null;
  const [alertId = '', userId = ''] = reference.split(':');
  const alert = await Alert.findByPk(alertId);
  if (!alert) return null;
  const membership = await Membership.findOne({ where: { teamId: alert.teamId, userId } });
  if (!membership || !wantsMail(membership, alert.kind)) return null;
  const team = await Team.findByPk(alert.teamId);
  const project = alert.projectId ? await Project.findByPk(alert.projectId) : null;
  return renderLetter(TEMPLATES.alert({ alert, teamName: team?.name ?? '', projectName: project?.name ?? null }));
}
