import type { MatchFacts } from '../events/presentMatch.ts';
import type { Choice } from '../matching/choose.ts';
import type { Link } from '../models/Link.ts';

/** What the search for a click looked at, where it compared clicks with the device. */
export interface Comparing {
  choice: Choice;
  /** Why the address says nothing; null: it does. */
  sharedReason: string | null;
  /** Most visitors of the address on one day of the last two; infinity: too many clicks to tell. */
  visitors: number;
}

/** What was found of where an opening comes from. */
export interface Found extends MatchFacts {
  link: Link | null;
  clickId: string | null;
  /** Used with the match: the click, and others by the same visitor. */
  usedClicks: string[];
  /** The opening is a click itself, which nobody has counted. */
  isClick: boolean;
  comparing: Comparing | null;
}
