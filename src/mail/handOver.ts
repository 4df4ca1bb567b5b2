import { unsealFor } from '../db/sealedColumns.ts';
import { config } from '../kernel/config.ts';
import { Alert } from '../models/Alert.ts';
import { wantsMail } from '../models/alertKinds.ts';
import { Membership } from '../models/Membership.ts';
import { Project } from '../models/Project.ts';
import { Team } from '../models/Team.ts';
import { type ClaimedMail, type HandedOver, handOverSeconds } from './claimMail.ts';
import { type MailContent, renderLetter } from './renderLetter.ts';
import type { SmtpPool } from './smtpPool.ts';
import { TEMPLATES } from './templates.ts';

/** Exactly one address: nothing that a mail server could parse as a list or a display name. */
const ADDRESS = /^[^\s<>()[\]\\,;:"@]+@[^\s<>()[\]\\,;:"@]+$/;

/**
 * Sends one mail to the mail server. A retry has the same Message-ID, so that mail systems can drop the duplicate.
 * `isServerAway`: the server would not take any other mail either. Never rejects; `signal` aborts it.
 */
export async function handOver(
  pool: SmtpPool,
  mail: ClaimedMail,
  signal: AbortSignal,
): Promise<HandedOver & { isServerAway: boolean }> {
  try {
    if (!ADDRESS.test(mail.address)) return refused('The address is not a single mailbox.');
    const content = await contentOf(mail);
    if (!content) return refused('The recipient no longer wants it.');
    const from = config.mailFrom ?? `svc <no-reply@${ownHost()}>`;
    await pool.sendMail({
      ...content,
      from,
      to: { name: '', address: mail.address },
      messageId: `<${mail.id}@${ownHost()}>`,
      date: mail.createdAt,
      headers: { 'Auto-Submitted': 'auto-generated' },
      xMailer: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(handOverSeconds() * 1000)]),
    });
    return { kind: 'sent', isServerAway: false };
  } catch (error) {
    const failure = error as SmtpFailure;
    const { isFinal, isServerAway } = decideFailure(failure);
    return { kind: isFinal ? 'refused' : 'later', error: failure.message, isServerAway };
  }
}

function refused(error: string): HandedOver & { isServerAway: boolean } {
  return { kind: 'refused', error, isServerAway: false };
}

function ownHost(): string {
  return new URL(config.baseUrl).hostname;
}

/**
 * The content of a mail. Alerts are rendered here and not when they are queued, so that thousands of waiting mails cost
 * little. Null when the recipient no longer wants the alert: they have left the team or turned off this kind,
 * or the project or team was deleted.
 */
async function contentOf({ id, kind, content, reference }: ClaimedMail): Promise<MailContent | null> {
  if (content !== null) return JSON.parse(unsealFor('mailContent', [id], content));
  if (kind !== 'alert') return null;
  const [alertId = '', userId = ''] = reference.split(':');
  const alert = await Alert.findByPk(alertId);
  if (!alert) return null;
  const membership = await Membership.findOne({ where: { teamId: alert.teamId, userId } });
  if (!membership || !wantsMail(membership, alert.kind)) return null;
  const team = await Team.findByPk(alert.teamId);
  const project = alert.projectId ? await Project.findByPk(alert.projectId) : null;
  if (!team || (alert.projectId && !project)) return null;
  return renderLetter(TEMPLATES.alert({ alert, teamName: team.name, projectName: project?.name ?? null }));
}

/** The error of nodemailer for a mail that was not accepted. */
export interface SmtpFailure {
  message: string;
  code?: string;
  /** The SMTP command that failed. */
  command?: string;
  /** The status code of the server; unset when it did not answer. */
  responseCode?: number;
}

interface FailureDecision {
  /** A retry would fail in the same way. */
  isFinal: boolean;
  /** The failure concerns the server and not this mail. */
  isServerAway: boolean;
}

/** The codes of nodemailer for a mail that the server, or nodemailer itself, refused. */
const MAIL_REFUSED = ['EENVELOPE', 'EMESSAGE'];

/**
 * Whether to retry a mail, and whether to stop sending others. A refused password or sender is no reason to give up a mail:
 * the operator can correct the settings.
 */
export function decideFailure({ code = '', command, responseCode }: SmtpFailure): FailureDecision {
  const hasAnswered = responseCode !== undefined;
  const isSenderRefused = command === 'MAIL FROM' && hasAnswered;
  const isServerAway = !MAIL_REFUSED.includes(code) || isSenderRefused || responseCode === 421;
  return { isFinal: !isServerAway && (!hasAnswered || responseCode >= 500), isServerAway };
}
