const GRAMMAR =
  'with a leading - all but these. In a value a backslash goes before a comma, a leading minus, a space at an edge and ' +
  'another backslash: `spring\\, summer`, `\\-5`. `null` is the unknown value, `\\null` the text.';

/** A filter of analytics. As long as a destination with every character escaped. */
export const FILTER = {
  nullable: true,
  description: `Values separated by commas; ${GRAMMAR}`,
  rule: { minLength: 1, maxLength: 16_384 },
} as const;

export const LINK_FILTER = {
  ...FILTER,
  description: `Ids of links, or ext_<external id>, separated by commas; ${GRAMMAR}`,
} as const;
