import type { MatchClick } from '../clicks/matchClickStore.ts';
import { dayOf } from '../kernel/clock.ts';
import type { Link } from '../models/Link.ts';
import type { Factor } from '../models/match.ts';
import type { TokenProblem } from './clickTokens.ts';
import { clickOnLink, siblingsOf } from './decide/chooseClick.ts';
import { type ClickComparison, compareClicks, matchFromComparison, whyNotCompared } from './decide/compareClicks.ts';
import type { Attribution, Opening, PresentedToken } from './Opening.ts';
import { clicksFrom, type OpeningFacts, seenAt } from './openingFacts.ts';

const NOTHING: Attribution = {
  method: 'none',
  confidence: 0,
  factors: [],
  clickedAt: null,
  link: null,
  clickId: null,
  usedClicks: [],
  isClick: false,
  comparison: null,
};

/**
 * Finds where an opening came from. Sources are tried in the order of their reliability: the URL, the Google Play referrer,
 * the clipboard, and for a first opening the clicks from its address. If every presented token is refused, nothing is
 * guessed instead.
 */
export function findAttribution(opening: Opening, facts: OpeningFacts): Attribution {
  const problems: Factor[] = [];
  for (const token of opening.tokens) {
    // The user followed this link and wants to get there, whatever led to the installation.
    if (opening.urlLink && token.source !== 'link') break;
    const result = tryToken(opening, token, facts);
    if (typeof result !== 'string') return { ...result, factors: [...result.factors, ...problems] };
    problems.push({ name: result, points: 0 });
  }
  if (opening.urlLink) return attributeDirectly(opening, opening.urlLink, problems, facts);
  if (problems.length > 0) return { ...NOTHING, factors: problems };
  if (!opening.isFirst) return unattributed('not_first_open');
  const off = whyNotCompared(facts.projects.get(opening.projectId), opening.device, opening.consent);
  return off === null ? attributeByComparison(opening, facts) : unattributed(off);
}

function unattributed(name: string): Attribution {
  return { ...NOTHING, factors: [{ name, points: 0 }] };
}

/** The attribution to the token's click, or why the token is refused. */
function tryToken(
  opening: Opening,
  { source, check }: PresentedToken,
  facts: OpeningFacts,
): Attribution | TokenProblem {
  if (!check.ok) return check.problem;
  const { clickId, linkId } = check;
  const user = facts.users.get(clickId);
  // The same install may report an opening twice, or be opened by the same URL again.
  const isOwn = user?.installId === opening.installId && source === 'link';
  if (user?.byToken && !isOwn) return 'token_used';
  const link = facts.links.get(linkId);
  if (link?.projectId !== opening.projectId) return 'link_gone';
  if (link.flaggedAt !== null) return 'link_flagged';
  const click = facts.tokenClicks.get(clickId);
  return {
    ...NOTHING,
    method: source,
    confidence: 100,
    factors: [{ name: source, points: 100 }],
    clickedAt: new Date(click?.occurredAt ?? check.clickedAt),
    link,
    clickId,
    usedClicks: user?.byToken ? [] : [clickId, ...siblingsOfToken(opening, clickId, facts)],
  };
}

function siblingsOfToken({ projectId }: Opening, clickId: string, facts: OpeningFacts): string[] {
  const click = facts.tokenClicks.get(clickId);
  if (!click) return [];
  const clicks = clicksFrom(facts, projectId, [[dayOf(click.occurredAt), click.addressHash]]);
  const itself = clicks.find((candidate) => candidate.clickId === clickId);
  return itself ? idsOf(siblingsOf(itself, clicks)) : [];
}

/**
 * The URL of a link opened the app directly, so no redirect has counted this click. On a first opening, an earlier click on
 * the same link from the same device probably led to the installation, so that click is used up.
 */
function attributeDirectly(opening: Opening, link: Link, problems: Factor[], facts: OpeningFacts): Attribution {
  const off = whyNotCompared(facts.projects.get(opening.projectId), opening.device, opening.consent);
  const compared = opening.isFirst && off === null ? compare(opening, facts) : null;
  const click = compared && clickOnLink(compared.comparison.choice, link.id);
  return {
    ...NOTHING,
    method: 'link',
    confidence: 100,
    factors: [{ name: 'link', points: 100 }, ...problems],
    clickedAt: new Date(opening.atMs),
    link,
    isClick: true,
    usedClicks: compared && click ? idsOf([click, ...siblingsOf(click, compared.clicks)]) : [],
  };
}

function attributeByComparison(opening: Opening, facts: OpeningFacts): Attribution {
  const { clicks, comparison } = compare(opening, facts);
  const match = matchFromComparison(comparison);
  const { chosen } = comparison.choice;
  if (!chosen) return { ...NOTHING, ...match, comparison };
  const { clickId, linkId } = chosen.click;
  const usedClicks = [clickId, ...idsOf(siblingsOf(chosen.click, clicks))];
  return { ...NOTHING, ...match, link: facts.links.get(linkId) ?? null, clickId, usedClicks, comparison };
}

function compare(opening: Opening, facts: OpeningFacts): { clicks: MatchClick[]; comparison: ClickComparison } {
  const clicks = clicksFrom(facts, opening.projectId, opening.addressHashes);
  const windowMs = (facts.projects.get(opening.projectId)?.matchWindowSeconds ?? 0) * 1000;
  const seen = seenAt(facts, opening);
  return { clicks, comparison: compareClicks({ ...opening, windowMs }, { clicks, links: facts.links, seen }) };
}

function idsOf(clicks: readonly MatchClick[]): string[] {
  return clicks.map(({ clickId }) => clickId);
}
