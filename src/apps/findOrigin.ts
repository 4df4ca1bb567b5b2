import { readModels } from '../db/readModels.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clickOnLink, siblingsOf } from '../matching/choose.ts';
import { readMatchClicks } from '../matching/matchClicks.ts';
import { type Factor } from '../matching/score.ts';
import { MOST_CLICKS } from '../matching/sharedAddress.ts';
import type { TokenProblem } from '../matching/tokenGuards.ts';
import { Link } from '../models/Link.ts';
import { clicksFromAddress, compareClicks } from './compareClicks.ts';
import type { Found } from './Found.ts';
import { findClick } from './findClick.ts';
import { matchByComparing } from './matchByComparing.ts';
import type { BroughtToken, Opening } from './Opening.ts';
import { userOfClick } from './usedClicks.ts';

const NOTHING: Found = {
  method: 'none',
  confidence: 0,
  factors: [],
  clickedAt: null,
  link: null,
  clickId: null,
  usedClicks: [],
  isClick: false,
  origin: null,
  comparing: null,
};

/**
 * Where an opening comes from, the surest way first: its URL, the referrer of Google Play, the clipboard, and at a first
 * opening the clicks from its address. A token that does not hold ends the search: who brings one is judged by it.
 */
export async function findOrigin(opening: Opening, transaction: Transaction): Promise<Found> {
  const problems: Factor[] = [];
  for (const token of opening.tokens) {
    const result = await tryToken(opening, token, transaction);
    if (typeof result !== 'string') return { ...result, factors: [...result.factors, ...problems] };
    problems.push({ name: result, points: 0 });
  }
  if (opening.urlLink) return directly(opening, opening.urlLink, problems, transaction);
  if (problems.length > 0) return { ...NOTHING, factors: problems };
  if (!opening.isFirst) return because('not_first_open');
  if (opening.comparingIsOff !== null) return because(opening.comparingIsOff);
  return byComparing(opening, transaction);
}

function because(name: string): Found {
  return { ...NOTHING, factors: [{ name, points: 0 }] };
}

/** What the token's click gives, or why it gives nothing. */
async function tryToken(
  opening: Opening,
  { source, judged }: BroughtToken,
  transaction: Transaction,
): Promise<Found | TokenProblem> {
  if (!judged.ok) return judged.problem;
  const { clickId, linkId } = judged;
  const user = await userOfClick(clickId, transaction);
  // An opening that is told of twice, or again while the app runs, is the same install's.
  const isOwn = user === opening.installId && source === 'link';
  if (user !== null && !isOwn) return 'token_used';
  const [link] = await readModels(Link, 'id = $1 AND project_id = $2', [linkId, opening.projectId], { transaction });
  if (!link) return 'link_gone';
  if (link.flaggedAt !== null) return 'link_flagged';
  const click = await findClick(opening.projectId, clickId, transaction);
  const siblings = click ? await siblingsInStore(opening.projectId, clickId, click, transaction) : [];
  return {
    ...NOTHING,
    method: source,
    confidence: 100,
    factors: [{ name: source, points: 100 }],
    clickedAt: new Date(click?.occurredAt ?? judged.clickedAt),
    link,
    clickId,
    usedClicks: isOwn ? [] : [clickId, ...siblings],
    origin: click?.origin ?? null,
  };
}

async function siblingsInStore(
  projectId: string,
  clickId: string,
  click: { visitor: string; addressHash: string; occurredAt: number },
  transaction: Transaction,
): Promise<string[]> {
  const day = Math.floor(click.occurredAt / 86_400_000);
  const clicks = await readMatchClicks(projectId, [day, click.addressHash], MOST_CLICKS, transaction);
  const itself = clicks.find((candidate) => candidate.clickId === clickId);
  return itself ? siblingsOf(itself, clicks).map((sibling) => sibling.clickId) : [];
}

/**
 * The URL of a link opened the app, past any page of ours: that is a click, and the first word of it. Who installed the app
 * before that by a click on the same link has used it.
 */
async function directly(opening: Opening, link: Link, problems: Factor[], transaction: Transaction): Promise<Found> {
  return {
    ...NOTHING,
    method: 'link',
    confidence: 100,
    factors: [{ name: 'link', points: 100 }, ...problems],
    clickedAt: new Date(opening.atMs),
    link,
    isClick: true,
    usedClicks: await clicksBefore(opening, link, transaction),
  };
}

async function clicksBefore(opening: Opening, link: Link, transaction: Transaction): Promise<string[]> {
  if (!opening.isFirst || opening.comparingIsOff !== null) return [];
  const { clicks, links } = await clicksFromAddress(opening, transaction);
  const { choice } = compareClicks(opening, { clicks, links });
  const click = clickOnLink(choice, link.id);
  return click ? [click, ...siblingsOf(click, clicks)].map(({ clickId }) => clickId) : [];
}

async function byComparing(opening: Opening, transaction: Transaction): Promise<Found> {
  const { clicks, links } = await clicksFromAddress(opening, transaction);
  const comparing = compareClicks(opening, { clicks, links });
  const match = matchByComparing(comparing);
  const { chosen } = comparing.choice;
  if (!chosen) return { ...NOTHING, ...match, comparing };
  const { clickId, linkId } = chosen.click;
  const stored = await findClick(opening.projectId, clickId, transaction);
  return {
    ...NOTHING,
    ...match,
    link: links.get(linkId) ?? null,
    clickId,
    usedClicks: [clickId, ...siblingsOf(chosen.click, clicks).map((sibling) => sibling.clickId)],
    origin: stored?.origin ?? null,
    comparing,
  };
}
