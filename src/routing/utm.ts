/** The campaign parameters of a link, in their usual order. As parameters of a URL and columns of a file they begin with `utm_`. */
export const UTM_FIELDS = ['source', 'medium', 'campaign', 'term', 'content'] as const;

export type UtmField = (typeof UTM_FIELDS)[number];

export type Utm = Partial<Record<UtmField, string | null>>;

/** The same parameters with null for each that is missing, as links and clicks show them. */
export function completeUtm(utm: Utm | null): Record<UtmField, string | null> | null {
  if (!utm) return null;
  const { source = null, medium = null, campaign = null, term = null, content = null } = utm;
  return { source, medium, campaign, term, content };
}
