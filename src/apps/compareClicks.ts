import { readByIds } from '../db/readModels.ts';
import type { Transaction } from '../db/sequelize.ts';
import { type Candidate, chooseClick, type Verdict } from '../matching/choose.ts';
import { type MatchClick, readMatchClicks } from '../matching/matchClicks.ts';
import { MOST_CLICKS, sharedReason, visitorsAmong } from '../matching/sharedAddress.ts';
import { Link } from '../models/Link.ts';
import type { Comparing } from './Found.ts';
import type { Opening } from './Opening.ts';

/** Clicks from one address, and their links by id as far as there are any. */
export interface ClicksOfAddress {
  clicks: MatchClick[];
  links: ReadonlyMap<string, Pick<Link, 'matchWindowSeconds' | 'flaggedAt'>>;
  /** Where it is known otherwise than from the clicks. */
  visitors?: number;
  /** What keeps made-up clicks out, by their ids. */
  obstacles?: ReadonlyMap<string, Verdict>;
}

type Asked = Pick<Opening, 'device' | 'sharedNetwork' | 'atMs' | 'windowMs'>;

/** The project's latest clicks from the address that an app was opened from. */
export async function clicksFromAddress(
  { projectId, addressHashes }: Pick<Opening, 'projectId' | 'addressHashes'>,
  transaction?: Transaction,
): Promise<{ clicks: MatchClick[]; links: Map<string, Link> }> {
  const clicks: MatchClick[] = [];
  for (const ofDay of addressHashes)
    clicks.push(...(await readMatchClicks(projectId, ofDay, MOST_CLICKS, transaction)));
  const found = await readByIds(Link, [...new Set(clicks.map(({ linkId }) => linkId))], transaction);
  return { clicks, links: new Map(found.map((link) => [link.id, link])) };
}

/** Compares clicks from an address with the device that opened an app. */
export function compareClicks({ device, sharedNetwork, atMs, windowMs }: Asked, found: ClicksOfAddress): Comparing {
  const { clicks, links, visitors = visitorsAmong(clicks, atMs) } = found;
  const reason = sharedReason(sharedNetwork, visitors);
  const candidates = clicks.map((click) => ({
    ...candidateOf(click, links.get(click.linkId), windowMs),
    obstacle: found.obstacles?.get(click.clickId) ?? null,
  }));
  return { choice: chooseClick(candidates, device, reason !== null), sharedReason: reason, visitors };
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
