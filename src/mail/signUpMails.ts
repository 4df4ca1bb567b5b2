import type { NewMail } from './queueMails.ts';
import { renderLetter } from './renderLetter.ts';
import { type MailFacts, TEMPLATES } from './templates.ts';

/** The mail that asks whether the address belongs to who signed up with it; `url` holds the token. */
export function confirmationMail({
  address,
  reference,
  ...facts
}: Pick<NewMail, 'address' | 'reference'> & MailFacts['confirm_email']): NewMail {
  return { kind: 'confirm_email', address, reference, ...renderLetter(TEMPLATES.confirm_email(facts)) };
}

/** The mail to somebody with an account, with whose address somebody signed up. */
export function knownAccountMail({ address, reference }: Pick<NewMail, 'address' | 'reference'>): NewMail {
  return { kind: 'account_exists', address, reference, ...renderLetter(TEMPLATES.account_exists({})) };
}
