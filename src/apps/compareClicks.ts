import { readByIds } from '../db/readModels.ts';
import type { Transaction } from '../db/sequelize.ts';
import { type Candidate, chooseClick } from '../matching/choose.ts';
import { type MatchClick, readMatchClicks } from '../matching/matchClicks.ts';
import { MOST_CLICKS, sharedReason, visitorsAmong } from '../matching/sharedAddress.ts';
import { Link } from '../models/Link.ts';
import type { Comparing } from './Found.ts';
import type { Opening } from './Opening.ts';

export interface Compared extends Comparing {
  clicks: MatchClick[];
  links: ReadonlyMap<string, Link>;
}

/** Compares the project's latest clicks from the address with the device that opened the app. */
export async function compareClicks(opening: Opening, transaction?: Transaction): Promise<Compared> {
  const { projectId, addressHashes, atMs } = opening;
  const clicks: MatchClick[] = [];
  for (const ofDay of addressHashes)
    clicks.push(...(await readMatchClicks(projectId, ofDay, MOST_CLICKS, transaction)));
  const found = await readByIds(Link, [...new Set(clicks.map(({ linkId }) => linkId))], transaction);
  const links = new Map(found.filter((link) => link.projectId === projectId).map((link) => [link.id, link]));
  const candidates = clicks.map((click) => candidateOf(click, links.get(click.linkId), opening.windowMs));
  const reason = sharedReason(opening.sharedNetwork, clicks, atMs);
  const choice = chooseClick(candidates, opening.device, reason !== null);
  return { choice, sharedReason: reason, visitors: visitorsAmong(clicks, atMs), clicks, links };
}

export function candidateOf(click: MatchClick, link: Link | undefined, windowMs: number): Candidate {
  const own = link?.matchWindowSeconds;
  const linkState = link === undefined ? 'gone' : link.flaggedAt === null ? 'good' : 'flagged';
  return { click, windowMs: own ? own * 1000 : windowMs, linkState };
}
