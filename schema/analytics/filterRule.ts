const GRAMMAR = 'a leading - excludes, a backslash escapes.';

/** A filter of analytics. As long as a destination with every character escaped. */
export const FILTER = {
  nullable: true,
  description: `Comma-separated; ${GRAMMAR}`,
  rule: { minLength: 1, maxLength: 16_384 },
} as const;

export const LINK_FILTER = {
  ...FILTER,
  description: `Ids of links, or ext_<external id>, comma-separated; ${GRAMMAR}`,
} as const;
