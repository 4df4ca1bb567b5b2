import { ROLES } from '../enums.ts';
import type { Rule } from '../rules.ts';

// As browsers check <input type=email>, with at least one dot in the domain. Spaces around it are cut off.
const LOCAL = "[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}";
const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';

export const EMAIL_RULE: Rule = {
  minLength: 3,
  maxLength: 254,
  pattern: `^\\s*${LOCAL}@${LABEL}(?:\\.${LABEL})+\\s*$`,
  'x-message': 'Must be an e-mail address such as ada@example.com.',
};

/** Of a new password; the lengths are those of NIST SP 800-63B, and what argon2 is given at most. */
export const PASSWORD_RULE: Rule = { minLength: 8, maxLength: 1000 };

/** Of a password that is compared. */
export const GIVEN_PASSWORD_RULE: Rule = { minLength: 1, maxLength: 1000 };

export const TOKEN_RULE: Rule = { minLength: 1, maxLength: 200 };

/** Six digits of an app, or a recovery code, with or without spaces and dashes. */
export const CODE_RULE: Rule = { minLength: 1, maxLength: 64 };

/** The argument of a mailed link that is opened where nobody is signed in to the account. */
export const OPTIONAL_PASSWORD = {
  nullable: true,
  description: 'The password of the account; needed where you are not signed in to it.',
  rule: GIVEN_PASSWORD_RULE,
};

/** The argument of what a person proves with their password, and with a code where they have a second factor. */
export const OPTIONAL_CODE = {
  nullable: true,
  description: 'The code that the authenticator app shows, or a recovery code; needed where your second factor is on.',
  rule: CODE_RULE,
};

export const ROLE_RULE: Rule = { enum: ROLES };

export const TEAM_NAME_RULE: Rule = {
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  'x-message': 'Must not be empty.',
};
