import type { Utm } from '../models/Link.ts';

export type PresentedUtm = { [Parameter in keyof Utm]-?: string | null };

/** Campaign parameters with each of the five, as links and clicks show them. */
export function presentUtm(utm: Utm | null): PresentedUtm | null {
  if (utm === null) return null;
  const { source = null, medium = null, campaign = null, term = null, content = null } = utm;
  return { source, medium, campaign, term, content };
}
