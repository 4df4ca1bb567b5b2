import { type OthersBeside, othersAt, type SeenInstall } from '../matching/beside.ts';
import { type Candidate, chooseClick, type Verdict } from '../matching/choose.ts';
import type { MatchClick } from '../matching/matchClicks.ts';
import { sharedReason, visitorsAmong } from '../matching/sharedAddress.ts';
import type { Link } from '../models/Link.ts';
import type { Comparing } from './Found.ts';
import type { Opening } from './Opening.ts';

/** Clicks from one address, and their links by id as far as there are any. */
export interface ClicksOfAddress {
  clicks: MatchClick[];
  links: ReadonlyMap<string, Pick<Link, 'matchWindowSeconds' | 'flaggedAt'>>;
  /** Other apps that were opened there. */
  seen?: readonly SeenInstall[];
  /** Where it is known otherwise than from the clicks. */
  visitors?: number;
  /** Where it is known otherwise than from the clicks. */
  othersBeside?: OthersBeside;
  /** What keeps made-up clicks out, by their ids. */
  obstacles?: ReadonlyMap<string, Verdict>;
}

/** `windowMs`: of the project; links may have their own. */
type Asked = Pick<Opening, 'device' | 'sharedNetwork' | 'atMs'> & { windowMs: number };

/** Compares clicks from an address with the device that opened an app. */
export function compareClicks({ device, sharedNetwork, atMs, windowMs }: Asked, found: ClicksOfAddress): Comparing {
  const { clicks, links, seen = [], visitors = visitorsAmong(clicks, atMs) } = found;
  const reason = sharedReason(sharedNetwork, visitors);
  const here = clicks.filter(({ clickId }) => !found.obstacles?.has(clickId));
  const candidates = clicks.map((click) => ({
    ...candidateOf(click, links.get(click.linkId), windowMs),
    obstacle: found.obstacles?.get(click.clickId) ?? null,
  }));
  return {
    choice: chooseClick(candidates, device, {
      isShared: reason !== null,
      othersBeside: found.othersBeside ?? othersAt(here, seen, device),
    }),
    sharedReason: reason,
    visitors,
  };
}

function candidateOf(
  click: MatchClick,
  link: Pick<Link, 'matchWindowSeconds' | 'flaggedAt'> | undefined,
  windowMs: number,
): Candidate {
  if (!link) return { click, windowMs, linkState: 'gone' };
  const { matchWindowSeconds, flaggedAt } = link;
  const linkState = flaggedAt === null ? 'good' : 'flagged';
  return { click, windowMs: matchWindowSeconds ? matchWindowSeconds * 1000 : windowMs, linkState };
}
