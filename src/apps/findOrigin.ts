import { readModels } from '../db/readModels.ts';
import type { Transaction } from '../db/sequelize.ts';
import { siblingsOf } from '../matching/choose.ts';
import { readMatchClicks } from '../matching/matchClicks.ts';
import { type Factor } from '../matching/score.ts';
import { MOST_CLICKS } from '../matching/sharedAddress.ts';
import type { TokenProblem } from '../matching/tokenGuards.ts';
import { Link } from '../models/Link.ts';
import { compareClicks } from './compareClicks.ts';
import type { Found } from './Found.ts';
import { findClick } from './findClick.ts';
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
  if (opening.urlLink) return directly(opening, opening.urlLink, problems);
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

/** The URL of a link opened the app, past any page of ours: that is a click, and the first word of it. */
function directly(opening: Opening, link: Link, problems: Factor[]): Found {
  return {
    ...NOTHING,
    method: 'link',
    confidence: 100,
    factors: [{ name: 'link', points: 100 }, ...problems],
    clickedAt: new Date(opening.atMs),
    link,
    isClick: true,
  };
}

async function byComparing(opening: Opening, transaction: Transaction): Promise<Found> {
  const { clicks, links, ...comparing } = await compareClicks(opening, transaction);
  const { chosen, weighed } = comparing.choice;
  if (!chosen) return { ...because(whyNone(comparing.sharedReason, weighed)), comparing };
  const { click, score, factors } = chosen;
  const stored = await findClick(opening.projectId, click.clickId, transaction);
  return {
    ...NOTHING,
    method: 'probabilistic',
    confidence: Math.min(100, score),
    factors,
    clickedAt: new Date(click.clickedAt),
    link: links.get(click.linkId) ?? null,
    clickId: click.clickId,
    usedClicks: [click.clickId, ...siblingsOf(click, clicks).map(({ clickId }) => clickId)],
    origin: stored?.origin ?? null,
    comparing,
  };
}

/** The verdict on the best click tells why there is no match. */
function whyNone(sharedReason: string | null, weighed: { verdict: string }[]): string {
  const verdicts = new Set(weighed.map(({ verdict }) => verdict));
  if (verdicts.has('ambiguous')) return 'ambiguous';
  if (verdicts.has('below_threshold')) return sharedReason ?? 'below_threshold';
  return verdicts.has('used') ? 'click_used' : 'no_click';
}
