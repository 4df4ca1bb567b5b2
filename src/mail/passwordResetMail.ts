import type { NewMail } from './queueMails.ts';
import { renderLetter } from './renderLetter.ts';
import { type MailFacts, TEMPLATES } from './templates.ts';

/** The mail with which somebody sets a new password; `url` holds the token. */
export function passwordResetMail({
  address,
  reference,
  ...facts
}: Pick<NewMail, 'address' | 'reference'> & MailFacts['password_reset']): NewMail {
  return { kind: 'password_reset', address, reference, ...renderLetter(TEMPLATES.password_reset(facts)) };
}
