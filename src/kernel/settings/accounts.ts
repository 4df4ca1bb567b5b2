import * as s from './kinds.ts';

/** Sign-in, sign-up, teams, the audit log, and mail to people. */
export const ACCOUNT_SETTINGS = {
  sessionSeconds: s.integer('How long a session lasts.', 14 * 86_400, { min: 60 }),
  signInAttempts: s.integer('Wrong passwords for one account from one address before a pause.', 10, { min: 1 }),
  signInAddressAttempts: s.integer('Wrong passwords from one address for any account before a pause.', 100, {
    min: 1,
  }),
  signInAccountAttempts: s.integer(
    'Wrong passwords per hour for one account from all addresses before a pause; browsers that signed in to it before are exempt.',
    100,
    { min: 1 },
  ),
  signInPauseSeconds: s.integer('Length of the pause, and of the window in which attempts are counted.', 900, {
    min: 1,
  }),
  knownBrowserDays: s.integer('Days for which an account remembers a browser that signed in to it.', 180, {
    min: 1,
    max: 400,
  }),
  secondFactorAttempts: s.integer('Wrong second-factor codes per day for one account before a pause.', 20, {
    min: 1,
  }),
  signUp: s.oneOf(
    'Who may create an account: anyone, invited people, or nobody. auto: open for requests from this machine while BASE_URL points to it, otherwise invitation.',
    ['auto', 'open', 'invitation', 'closed'],
    'auto',
  ),
  signUpsPerHour: s.integer('Sign-ups per hour from one address.', 10, { min: 1 }),
  emailConfirmationSeconds: s.integer('How long a link to confirm an email address is valid.', 86_400, { min: 60 }),
  emailConfirmationsPerHour: s.integer('Confirmation mails per hour to one email address.', 3, { min: 1 }),
  unconfirmedAccountDays: s.integer('Days for which an account with an unconfirmed email address is kept.', 7, {
    min: 1,
  }),
  emailUndoDays: s.integer(
    'Days for which a change of an email address, or turning on a second factor, can be undone by a mailed link; the former address stays reserved.',
    7,
    { min: 1, max: 90 },
  ),
  passwordResetSeconds: s.integer('How long a link to reset a password is valid.', 3600, { min: 60 }),
  passwordResetsPerHour: s.integer(
    'Password reset mails per hour to one email address; one client address may request five times as many.',
    3,
    { min: 1 },
  ),
  ownedTeams: s.integer('Teams that one person may own.', 10, { min: 1 }),
  removedMemberKeySeconds: s.integer(
    'How long the secret keys of a member who left or was removed keep working, unless an admin keeps them; 0: they stop at once.',
    86_400,
  ),
  invitationSeconds: s.integer('How long an invitation is valid.', 7 * 86_400, { min: 60 }),
  pendingInvitations: s.integer('Pending invitations of a team at one time.', 100, { min: 1 }),
  invitationsPerHour: s.integer('Invitations per hour that a team may send.', 50, { min: 1 }),
  newAccountDays: s.integer('Days for which a team counts as a new account; 0: never.', 7),
  newAccountLinksPerHour: s.integer('Links per hour that a new account may create.', 100, { min: 1 }),
  newAccountLinksPerDay: s.integer('Links per day that a new account may create.', 500, { min: 1 }),
  newAccountInvitationsPerDay: s.integer('Invitations per day from a new account, and from each of its members.', 20, {
    min: 1,
  }),
  deletionDays: s.integer(
    'Days for which a deleted account, project or team can be restored; 0: it is deleted for good at the next purge.',
    7,
    { max: 90 },
  ),
  auditRetentionDays: s.integer('Days for which the audit log is kept.', 365, { min: 1 }),
  alertRetentionDays: s.integer('Days for which resolved alerts are kept.', 400, { min: 1 }),
  smtpUrl: s.smtpUrl(
    'Mail server, with user and password; unset: no mail is sent, and alerts appear only on the dashboard and in the log.',
  ),
  mailFrom: s.mailbox(
    'Sender of mails: an address, or a name and an address; unset: no-reply at the host of BASE_URL.',
  ),
  mailTimeoutSeconds: s.integer('Timeout of each step of sending a mail.', 20, { min: 1, max: 300 }),
  mailRetrySeconds: s.integers(
    'Delays between attempts to send a mail; there is one more attempt than delays.',
    [30, 120, 600, 3600, 14_400, 43_200],
  ),
  mailRetentionDays: s.integer('Days for which records of sent mails are kept.', 30, { min: 1 }),
  mailAlertsPerHour: s.integer(
    'Alerts per hour mailed to one person individually; further alerts are combined in one mail.',
    20,
    { min: 1 },
  ),
  mailDigestSeconds: s.integer('How long further alerts are collected for that mail.', 600, { min: 1 }),
};
