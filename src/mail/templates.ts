import { config } from '../kernel/config.ts';
import type { Alert } from '../models/Alert.ts';
import type { Role } from '../models/Membership.ts';
import { ALERT_KINDS } from '../services/alerts/alertKinds.ts';
import { DASHBOARD_PAGES } from './dashboardPages.ts';
import type { Letter } from './Letter.ts';
import { chosenName, oneLine } from './plainText.ts';

/** What each kind of mail is written from. */
export interface MailFacts {
  alert: { alert: AlertOfMail; teamName: string; projectName: string | null };
  alert_digest: { parts: DigestPart[] };
  invitation: { teamName: string; inviterEmail: string; role: Role; url: string; expiresAt: Date };
  password_reset: { url: string; expiresAt: Date };
  confirm_email: { url: string; expiresAt: Date };
  account_exists: object;
  password_changed: object;
  second_factor_on: object;
  second_factor_off: object;
  new_recovery_codes: object;
  recovery_code_used: object;
  new_browser: { browser: string | null; at: Date };
}

export type MailKind = keyof MailFacts;

export type AlertOfMail = Pick<Alert, 'id' | 'teamId' | 'kind' | 'severity' | 'title' | 'message' | 'createdAt'>;

/** Alerts of one kind that were not mailed one by one. */
export interface DigestPart {
  teamId: string;
  teamName: string;
  kind: Alert['kind'];
  count: number;
}

/** What there is to look at. */
const ALERT_ACTIONS: Record<Alert['kind'], string> = {
  health: 'Look at the checks',
  traffic_anomaly: 'Look at the traffic',
  link_flagged: 'Look at the link',
  webhook_disabled: 'Look at the webhook',
  billing: 'Look at the limits',
  domain: 'Look at the domain',
  security: 'Look at the alert',
};

/** Every kind of mail. */
export const TEMPLATES: { [Kind in MailKind]: (facts: MailFacts[Kind]) => Letter } = {
  alert: ({ alert, teamName, projectName }) => ({
    subject: `${alert.title} – ${chosenName(projectName ?? teamName)}`,
    paragraphs: [alert.message],
    facts: [
      ['Team', chosenName(teamName)],
      ...(projectName === null ? [] : [['Project', chosenName(projectName)] as [string, string]]),
      ['Severity', alert.severity],
      ['Raised', shownTime(alert.createdAt)],
    ],
    action: { label: ALERT_ACTIONS[alert.kind], url: DASHBOARD_PAGES.alert(alert.id) },
    reason: `You get this because alerts of this kind (${ALERT_KINDS[alert.kind].replace(/\.$/, '')}) are mailed to you.`,
    preferencesUrl: DASHBOARD_PAGES.mailPreferences(alert.teamId),
  }),
  alert_digest: ({ parts }) => {
    const count = parts.reduce((sum, part) => sum + part.count, 0);
    const [first] = parts;
    return {
      subject: count === 1 ? 'One more alert' : `${count} more alerts`,
      paragraphs: [
        'So many alerts came at once that these were not mailed one by one. Nothing of them is lost: all are on the page of alerts.',
      ],
      facts: parts.map((part) => [
        `${part.count} × ${part.kind}`,
        `${ALERT_KINDS[part.kind]} ${chosenName(part.teamName)}`,
      ]),
      action: { label: 'Look at the alerts', url: DASHBOARD_PAGES.alerts(first?.teamId ?? '') },
      reason: `At most ${config.mailAlertsPerHour} alerts an hour are mailed to one person one by one.`,
      preferencesUrl: DASHBOARD_PAGES.mailPreferences(first?.teamId ?? ''),
    };
  },
  invitation: ({ teamName, inviterEmail, role, url, expiresAt }) => ({
    subject: `Join ${chosenName(teamName)}`,
    paragraphs: [
      `${oneLine(inviterEmail, 320)} invites you to the team ${chosenName(teamName)} as ${role}.`,
      `The invitation is good once, until ${shownTime(expiresAt)}. If you do not know who this is, do nothing.`,
    ],
    action: { label: 'Accept the invitation', url },
    reason: 'You get this because somebody entered your address. Nothing was made for you yet.',
  }),
  password_reset: ({ url, expiresAt }) => ({
    subject: 'Set a new password',
    paragraphs: [
      `Somebody asked for a new password for your account. The link is good once, until ${shownTime(expiresAt)}.`,
      'If it was not you, do nothing: your password stays as it is.',
    ],
    action: { label: 'Set a new password', url },
    reason: 'You get this because it was asked for with your address.',
  }),
  confirm_email: ({ url, expiresAt }) => ({
    subject: 'Confirm your e-mail',
    paragraphs: [
      `Somebody signed up with this address. If it was you, confirm it until ${shownTime(expiresAt)}; the link works once.`,
      'If it was not you, do nothing: the account cannot be used and is deleted by itself.',
    ],
    action: { label: 'Confirm this address', url },
    reason: 'You get this because somebody entered your address when signing up.',
  }),
  account_exists: () => ({
    subject: 'You have an account already',
    paragraphs: [
      'Somebody tried to sign up with your address, which has an account. If it was you, sign in to that one. If you do not know the password any more, ask for a new one there.',
      'If it was not you, do nothing: they were not told that you have an account, and nothing has changed.',
    ],
    action: { label: 'Go to your account', url: DASHBOARD_PAGES.account() },
    reason: 'You get this because somebody entered your address when signing up.',
  }),
  password_changed: () => notice('Your password was changed', 'The password of your account was changed.'),
  second_factor_on: () =>
    notice(
      'Sign-in with a second factor is on',
      'From now on your account asks for a code of your app at each sign-in.',
    ),
  second_factor_off: () =>
    notice('Sign-in with a second factor is off', 'Your account asks for the password alone from now on.'),
  new_recovery_codes: () =>
    notice('You have new recovery codes', 'New recovery codes were made for your account; the former ones are void.'),
  recovery_code_used: () =>
    notice(
      'A recovery code was used',
      'Somebody signed in to your account with one of your recovery codes, which is void now.',
    ),
  new_browser: ({ browser, at }) => ({
    ...notice('Signed in from a new browser', 'Somebody signed in to your account from a browser that had not before.'),
    facts: [
      ['Browser', browser === null ? 'unknown' : oneLine(browser, 100)],
      ['Time', shownTime(at)],
    ],
  }),
};

/** Something about the safety of an account. */
function notice(subject: string, what: string): Letter {
  return {
    subject,
    paragraphs: [what, 'If it was not you, set a new password at once: that ends every session that is open.'],
    action: { label: 'Look at your account', url: DASHBOARD_PAGES.account() },
    reason: 'You get this because it is about the safety of your account.',
  };
}

function shownTime(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
