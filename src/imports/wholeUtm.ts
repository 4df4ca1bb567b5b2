const NAMES = ['source', 'medium', 'campaign', 'term', 'content'];

type Utm = Record<string, unknown>;

/** The parameters of a row on top of those of its link: a column that the file lacks changes nothing, and none at all is null. */
export function wholeUtm(given: unknown, current: unknown): Utm | null {
  const utm = { ...(current as Utm | null), ...(given as Utm | null) };
  return NAMES.some((name) => utm[name]) ? utm : null;
}
