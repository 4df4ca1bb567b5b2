import type { Rule } from '../rules.ts';

/** What a tag may be called. `|` separates tags in CSV files. */
export const TAG_NAME_RULE: Rule = {
  minLength: 1,
  maxLength: 100,
  pattern: '^[^|\\s]([^|]*[^|\\s])?$',
  'x-message': 'Must not contain | or begin or end with a space.',
};
