import { config } from '../kernel/config.ts';
import { OWN_PATHS } from '../kernel/origins.ts';
import type { Alert } from '../models/Alert.ts';
import { ALERT_KINDS } from '../models/alertKinds.ts';
import type { Role } from '../models/Membership.ts';
import { type Letter, oneLine, quotedName } from './renderLetter.ts';

/** The facts that each kind of mail is written from. */
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

type AlertOfMail = Pick<Alert, 'id' | 'teamId' | 'kind' | 'severity' | 'title' | 'message' | 'createdAt'>;

/** How many alerts of one kind and team a digest stands for. */
export interface DigestPart {
  teamId: string;
  teamName: string;
  kind: Alert['kind'];
  count: number;
}

const MAX_EMAIL_LENGTH = 320;
const MAX_BROWSER_LENGTH = 100;

/** The pages of the dashboard that mails link to. */
const DASHBOARD_PAGES = {
  alert: (alertId: string) => page(`/alerts/${alertId}`),
  alerts: (teamId: string) => page(`/alerts?team=${teamId}`),
  mailPreferences: (teamId: string) => page(`/account/mail?team=${teamId}`),
  account: () => page('/account'),
};

/** The button of an alert. */
const ALERT_ACTIONS: Record<Alert['kind'], string> = {
  health: 'View the failing checks',
  traffic_anomaly: 'View the traffic',
  link_flagged: 'View the link',
  webhook_disabled: 'View the webhook',
  billing: 'View the limit',
  domain: 'View the domain',
  security: 'View the alert',
};

const ROLE_NAMES: Record<Role, string> = {
  owner: 'an owner',
  admin: 'an admin',
  member: 'a member',
  viewer: 'a viewer',
};

/** Every kind of mail. Names and messages in the facts come from other people: see `quotedName` and `oneLine`. */
export const TEMPLATES: { [Kind in MailKind]: (facts: MailFacts[Kind]) => Letter } = {
  alert: ({ alert, teamName, projectName }) => ({
    subject: `${alert.title} – ${quotedName(projectName ?? teamName)}`,
    paragraphs: [alert.message],
    facts: [
      ['Team', quotedName(teamName)],
      ...(projectName === null ? [] : [['Project', quotedName(projectName)] as [string, string]]),
      ['Severity', alert.severity],
      ['Raised', shownTime(alert.createdAt)],
    ],
    action: { label: ALERT_ACTIONS[alert.kind], url: DASHBOARD_PAGES.alert(alert.id) },
    reason: `You receive alerts of this kind by email: ${ALERT_KINDS[alert.kind]}`,
    preferencesUrl: DASHBOARD_PAGES.mailPreferences(alert.teamId),
  }),
  alert_digest: ({ parts }) => {
    const count = parts.reduce((sum, part) => sum + part.count, 0);
    const teamId = parts[0]?.teamId ?? '';
    return {
      subject: count === 1 ? 'One more alert' : `${count} more alerts`,
      paragraphs: [
        'Many alerts were raised within an hour, so we have summarized the latest ones here instead of sending an email for each. You can find every alert in your dashboard.',
      ],
      facts: parts.map((part) => [
        `${part.count} × ${part.kind}`,
        `${quotedName(part.teamName)} – ${ALERT_KINDS[part.kind]}`,
      ]),
      action: { label: 'View all alerts', url: DASHBOARD_PAGES.alerts(teamId) },
      reason: `We send at most ${config.mailAlertsPerHour} individual alert emails an hour to each person.`,
      preferencesUrl: DASHBOARD_PAGES.mailPreferences(teamId),
    };
  },
  invitation: ({ teamName, inviterEmail, role, url, expiresAt }) => ({
    subject: `Join ${quotedName(teamName)}`,
    paragraphs: [
      `${oneLine(inviterEmail, MAX_EMAIL_LENGTH)} has invited you to join the team ${quotedName(teamName)} as ${ROLE_NAMES[role]}.`,
      `The invitation works once and expires at ${shownTime(expiresAt)}. If you do not know the sender, you can ignore this email.`,
    ],
    action: { label: 'Accept invitation', url },
    reason: 'You are receiving this email because someone entered your address. Nothing happens unless you accept.',
  }),
  password_reset: ({ url, expiresAt }) => ({
    subject: 'Reset your password',
    paragraphs: [
      `We received a request to reset the password of your account. The link works once and expires at ${shownTime(expiresAt)}.`,
      'If you did not request this, you can ignore this email: your password stays the same.',
    ],
    action: { label: 'Reset password', url },
    reason: 'You are receiving this email because a password reset was requested for your address.',
  }),
  confirm_email: ({ url, expiresAt }) => ({
    subject: 'Confirm your email address',
    paragraphs: [
      `Someone signed up with this email address. If it was you, confirm the address by ${shownTime(expiresAt)}. The link works once.`,
      'If it was not you, you can ignore this email: the account cannot be used and will be deleted automatically.',
    ],
    action: { label: 'Confirm email address', url },
    reason: 'You are receiving this email because someone entered your address when signing up.',
  }),
  account_exists: () => ({
    subject: 'You already have an account',
    paragraphs: [
      'Someone tried to sign up with your email address, which already has an account. If it was you, sign in instead. If you have forgotten your password, you can reset it when you sign in.',
      'If it was not you, you can ignore this email: nothing has changed, and they were not told that you have an account.',
    ],
    action: { label: 'Go to your account', url: DASHBOARD_PAGES.account() },
    reason: 'You are receiving this email because someone entered your address when signing up.',
  }),
  password_changed: () =>
    securityNotice('Your password was changed', 'The password of your account has just been changed.'),
  second_factor_on: () =>
    securityNotice(
      'Two-factor authentication is on',
      'From now on, signing in to your account requires a code from your authenticator app.',
    ),
  second_factor_off: () =>
    securityNotice(
      'Two-factor authentication is off',
      'From now on, signing in to your account requires only your password.',
    ),
  new_recovery_codes: () =>
    securityNotice(
      'You have new recovery codes',
      'New recovery codes were created for your account. The previous ones no longer work.',
    ),
  recovery_code_used: () =>
    securityNotice(
      'A recovery code was used',
      'Someone signed in to your account with one of your recovery codes. This code no longer works.',
    ),
  new_browser: ({ browser, at }) => ({
    ...securityNotice(
      'New sign-in to your account',
      'Someone signed in to your account from a browser that has not been used with it before.',
    ),
    facts: [
      ['Browser', browser === null ? 'unknown' : oneLine(browser, MAX_BROWSER_LENGTH)],
      ['Time', shownTime(at)],
    ],
  }),
};

function securityNotice(subject: string, event: string): Letter {
  return {
    subject,
    paragraphs: [event, 'If this was not you, reset your password right away. This also ends all open sessions.'],
    action: { label: 'Go to your account', url: DASHBOARD_PAGES.account() },
    reason: 'You are receiving this email because it concerns the security of your account.',
  };
}

function shownTime(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function page(path: string): string {
  return `${config.baseUrl}${OWN_PATHS.dashboard}${path}`;
}
