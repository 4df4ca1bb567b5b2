import type { Rule } from './rules.ts';

/** Your own id of a link or a webhook. */
export const EXTERNAL_ID_RULE: Rule = { minLength: 1, maxLength: 200 };
export const EXTERNAL_ID_TEXT = 'Your own id, unique in the project; null: none.';

/** Who keeps a row in step with a source outside, such as a file of links as code. */
export const MANAGED_BY_RULE: Rule = { minLength: 1, maxLength: 100 };
export const MANAGED_BY_TEXT =
  'What manages it, such as `code:marketing` for the stack marketing of links as code; null: nobody but people.';
export const MANAGED_BY_FILTER = 'Only what this manages, such as `code:marketing`.';
