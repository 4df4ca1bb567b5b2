import type { NewMail } from './queueMails.ts';
import { renderLetter } from './renderLetter.ts';
import { type MailFacts, TEMPLATES } from './templates.ts';

/** The mail that invites somebody to a team; `url` holds the token. */
export function invitationMail({
  address,
  reference,
  ...facts
}: Pick<NewMail, 'address' | 'reference'> & MailFacts['invitation']): NewMail {
  return { kind: 'invitation', address, reference, ...renderLetter(TEMPLATES.invitation(facts)) };
}
