import { config } from '../kernel/config.ts';
import { OWN_PATHS } from '../kernel/origins.ts';
import { ALERT_KINDS } from '../models/alertKinds.ts';
import type { Role } from '../models/Membership.ts';
import type { MailFacts, MailKind } from './mailFacts.ts';
import { type Letter, oneLine, quotedName } from './renderLetter.ts';

const MAX_EMAIL_LENGTH = 320;
const MAX_BROWSER_LENGTH = 100;

/** The pages of the dashboard that mails link to. */
const DASHBOARD_PAGES = {
  alert: (alertId: string) => page(`/alerts/${alertId}`),
  alerts: (teamId: string) => page(`/alerts?team=${teamId}`),
  mailPreferences: (teamId: string) => page(`/account/mail?team=${teamId}`),
  account: () => page('/account'),
  team: (teamId: string) => page(`/team?team=${teamId}`),
  signIn: () => page('/sign-in'),
  forgotPassword: () => page('/forgot-password'),
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
    action: { label: 'View the alert', url: DASHBOARD_PAGES.alert(alert.id) },
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
  confirm_email: ({ url, expiresAt, at, browser }) => ({
    subject: 'Confirm your email address',
    paragraphs: [
      `Someone signed up with this email address. If it was you, confirm the address by ${shownTime(expiresAt)}. The link works once.`,
      'Open the link in the browser in which you signed up, or enter the password that you chose. If you get several of these emails, somebody else may have entered your address: the time and the browser say which one is yours.',
      'If it was not you, you can ignore this email: the account cannot be used and will be deleted automatically.',
    ],
    facts: [
      ['Time', shownTime(at)],
      ['Browser', browser === null ? 'unknown' : oneLine(browser, MAX_BROWSER_LENGTH)],
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
  confirm_email_change: ({ from, url, expiresAt, at }) => ({
    subject: 'Confirm your new email address',
    paragraphs: [
      `Someone asked to change the email address of the account ${oneLine(from, MAX_EMAIL_LENGTH)} to this one. If it was you, confirm the address by ${shownTime(expiresAt)}. The link works once.`,
      'If it was not you, you can ignore this email: nothing changes unless somebody with the password of that account opens the link. Do not confirm for somebody else.',
    ],
    facts: [['Time', shownTime(at)]],
    action: { label: 'Confirm new address', url },
    reason: 'You are receiving this email because someone entered your address as the new one of their account.',
  }),
  email_in_use: () => ({
    subject: 'Your email address belongs to an account already',
    paragraphs: [
      'Someone asked to change the email address of their account to yours, which belongs to another account, or did until a few days ago and is reserved for it. If it was you, sign in to that account instead, or use another address.',
      'If it was not you, you can ignore this email: nothing has changed, and they were not told that there is an account.',
    ],
    action: { label: 'Go to your account', url: DASHBOARD_PAGES.account() },
    reason: 'You are receiving this email because someone entered your address as the new one of their account.',
  }),
  email_changed: ({ from, to, at, url, undoUntil }) => ({
    subject: 'Your email address was changed',
    paragraphs: [
      'The email address of your account was changed. Emails about your account go to the new address from now on, and you sign in with it.',
      `If this was not you, undo the change by ${shownTime(undoUntil)}, and then reset your password: someone else knows it. Undoing also ends all open sessions. Until then no other account can use your former address.`,
    ],
    facts: [
      ['Former address', oneLine(from, MAX_EMAIL_LENGTH)],
      ['New address', oneLine(to, MAX_EMAIL_LENGTH)],
      ['Time', shownTime(at)],
    ],
    action: { label: 'Undo the change', url },
    reason: 'You are receiving this email because it concerns the security of your account.',
  }),
  email_change_undone: ({ from, to, deletionAt }) => ({
    subject: 'The change of your email address was undone',
    paragraphs: [
      `The email address of your account is ${oneLine(to, MAX_EMAIL_LENGTH)} again, and no longer ${oneLine(from, MAX_EMAIL_LENGTH)}. All open sessions have ended, and changes that waited to be confirmed were cancelled.`,
      'If you did not change the address in the first place, someone else knows your password: reset it now.',
      ...(deletionAt === null
        ? []
        : [
            `The account was deleted meanwhile. Until ${shownTime(deletionAt)} you can restore it: reset your password, and then sign in.`,
          ]),
    ],
    action: { label: 'Reset your password', url: DASHBOARD_PAGES.forgotPassword() },
    reason: 'You are receiving this email because it concerns the security of your account.',
  }),
  account_deleted: ({ deletionAt, isRestorable, factorUndoneUntil }) => ({
    subject: 'Your account was deleted',
    paragraphs: isRestorable
      ? [
          `Your account was deleted, and you have left your teams. Everything that you made in them stays there. Until ${shownTime(deletionAt)} you can restore the account: sign in with your email address and password. After that it is deleted for good.`,
          'If you did not delete it, restore it and reset your password right away: someone else knows it.',
          ...(factorUndoneUntil === null
            ? []
            : [
                `If signing in asks for a code that you do not have, undo two-factor authentication first, by ${shownTime(factorUndoneUntil)}: with the link in our email “Two-factor authentication is on”.`,
              ]),
        ]
      : [
          'Your account was deleted for good, and you have left your teams. Everything that you made in them stays there.',
        ],
    action: isRestorable
      ? { label: 'Sign in to restore it', url: DASHBOARD_PAGES.signIn() }
      : { label: 'Go to the sign-in page', url: DASHBOARD_PAGES.signIn() },
    reason: 'You are receiving this email because it concerns your account.',
  }),
  former_account_deleted: ({ deletionAt, undoUntil }) => ({
    subject: 'Your former account was deleted',
    paragraphs: [
      `The account that had this email address until recently was deleted. It can be restored until ${shownTime(deletionAt)}. After that it is deleted for good.`,
      `If you did not change the address and delete the account, someone else knows your password. Undo the change by ${shownTime(undoUntil)}, with the link in our email “Your email address was changed”. Then reset your password, sign in with this address and restore the account.`,
    ],
    action: { label: 'Go to the sign-in page', url: DASHBOARD_PAGES.signIn() },
    reason: 'You are receiving this email because it concerns the security of your account.',
  }),
  account_restored: () =>
    securityNotice(
      'Your account was restored',
      'Your account will not be deleted. You are a member of your teams again, with the roles that you had.',
    ),
  password_changed: () =>
    securityNotice('Your password was changed', 'The password of your account has just been changed.'),
  second_factor_on: ({ url, undoUntil }) => ({
    subject: 'Two-factor authentication is on',
    paragraphs: [
      'From now on, signing in to your account requires a code from your authenticator app.',
      `If this was not you, undo it by ${shownTime(undoUntil)}, and then reset your password: someone else knows it. Undoing removes the authenticator app from your account and ends all open sessions.`,
    ],
    action: { label: 'This was not me: undo it', url },
    reason: 'You are receiving this email because it concerns the security of your account.',
  }),
  second_factor_undone: ({ deletionAt }) => ({
    subject: 'Two-factor authentication was undone',
    paragraphs: [
      'Two-factor authentication was removed from your account with the link that we had mailed to you. All open sessions have ended, and changes that waited to be confirmed were cancelled.',
      'If you did not turn it on in the first place, someone else knows your password: reset it now.',
      ...(deletionAt === null
        ? []
        : [
            `The account was deleted meanwhile. Until ${shownTime(deletionAt)} you can restore it: reset your password, and then sign in.`,
          ]),
    ],
    action: { label: 'Reset your password', url: DASHBOARD_PAGES.forgotPassword() },
    reason: 'You are receiving this email because it concerns the security of your account.',
  }),
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
  project_deleted: ({ projectName, teamName, teamId, byEmail, deletionAt }) => ({
    subject: `The project ${quotedName(projectName)} was deleted`,
    paragraphs: [
      `${oneLine(byEmail, MAX_EMAIL_LENGTH)} has deleted the project ${quotedName(projectName)} of the team ${quotedName(teamName)}. Its links, keys and webhooks have stopped working.`,
      `Owners and admins of the team can restore it with everything in it until ${shownTime(deletionAt)}. After that, it is deleted for good.`,
    ],
    action: { label: 'View deleted projects', url: DASHBOARD_PAGES.team(teamId) },
    reason: 'You are receiving this email because you are an owner or admin of the team.',
  }),
  team_deleted: ({ teamName, byEmail, deletionAt }) => ({
    subject: `The team ${quotedName(teamName)} was deleted`,
    paragraphs: [
      `${oneLine(byEmail, MAX_EMAIL_LENGTH)} has deleted the team ${quotedName(teamName)} with all of its projects. Their links, keys and webhooks have stopped working.`,
      `Owners of the team can restore it with everything in it until ${shownTime(deletionAt)}. After that, it is deleted for good.`,
    ],
    action: { label: 'View deleted teams', url: DASHBOARD_PAGES.account() },
    reason: 'You are receiving this email because you are an owner of the team.',
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
