import type { NewMail } from './queueMails.ts';
import { renderLetter } from './renderLetter.ts';
import { TEMPLATES } from './templates.ts';

/** What people are told about the safety of their account. */
export type AccountNotice =
  | 'password_changed'
  | 'second_factor_on'
  | 'second_factor_off'
  | 'new_recovery_codes'
  | 'recovery_code_used';

/** The mail that tells it. */
export function accountNoticeMail({
  address,
  notice,
  reference,
}: Pick<NewMail, 'address' | 'reference'> & { notice: AccountNotice }): NewMail {
  return { kind: notice, address, reference, ...renderLetter(TEMPLATES[notice]({})) };
}
