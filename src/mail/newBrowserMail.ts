import type { NewMail } from './queueMails.ts';
import { renderLetter } from './renderLetter.ts';
import { type MailFacts, TEMPLATES } from './templates.ts';

/** The mail about a sign-in from a browser that the account did not know. */
export function newBrowserMail({
  address,
  reference,
  ...facts
}: Pick<NewMail, 'address' | 'reference'> & MailFacts['new_browser']): NewMail {
  return { kind: 'new_browser', address, reference, ...renderLetter(TEMPLATES.new_browser(facts)) };
}
