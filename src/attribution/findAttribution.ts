import { dayOf } from '../kernel/durations.ts';
import { clickOnLink, siblingsOf } from '../matching/choose.ts';
import type { MatchClick } from '../matching/matchClicks.ts';
import type { Factor } from '../matching/score.ts';
import type { TokenProblem } from '../matching/tokenGuards.ts';
import type { Link } from '../models/Link.ts';
import { compareClicks } from './compareClicks.ts';
import type { Comparing, Found } from './Found.ts';
import { matchByComparing } from './matchByComparing.ts';
import type { BroughtToken, Opening } from './Opening.ts';
import { clicksFrom, type OpeningFacts, seenAt } from './openingFacts.ts';
import { whyOff } from './whyOff.ts';

const NOTHING: Found = {
  method: 'none',
  confidence: 0,
  factors: [],
  clickedAt: null,
  link: null,
  clickId: null,
  usedClicks: [],
  isClick: false,
  comparing: null,
};

/**
 * Where an opening comes from, the surest way first: its URL, the referrer of Google Play, the clipboard, and at a first
 * opening the clicks from its address. A token that does not hold ends the search: who brings one is judged by it.
 */
export function findOrigin(opening: Opening, facts: OpeningFacts): Found {
  const problems: Factor[] = [];
  for (const token of opening.tokens) {
    // Who was led to a link wants to get there, whatever installed the app.
    if (opening.urlLink && token.source !== 'link') break;
    const result = tryToken(opening, token, facts);
    if (typeof result !== 'string') return { ...result, factors: [...result.factors, ...problems] };
    problems.push({ name: result, points: 0 });
  }
  if (opening.urlLink) return directly(opening, opening.urlLink, problems, facts);
  if (problems.length > 0) return { ...NOTHING, factors: problems };
  if (!opening.isFirst) return because('not_first_open');
  const off = whyOff(facts.projects.get(opening.projectId), opening.device, opening.consent);
  return off === null ? byComparing(opening, facts) : because(off);
}

function because(name: string): Found {
  return { ...NOTHING, factors: [{ name, points: 0 }] };
}

/** What the token's click gives, or why it gives nothing. */
function tryToken(opening: Opening, { source, judged }: BroughtToken, facts: OpeningFacts): Found | TokenProblem {
  if (!judged.ok) return judged.problem;
  const { clickId, linkId } = judged;
  const user = facts.users.get(clickId);
  // An opening that is told of twice, or again while the app runs, is the same install's.
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
    clickedAt: new Date(click?.occurredAt ?? judged.clickedAt),
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
 * The URL of a link opened the app, past any page of ours: that is a click, and the first word of it. Who installed the app
 * before that by a click on the same link has used it.
 */
function directly(opening: Opening, link: Link, problems: Factor[], facts: OpeningFacts): Found {
  const off = whyOff(facts.projects.get(opening.projectId), opening.device, opening.consent);
  const compared = opening.isFirst && off === null ? compare(opening, facts) : null;
  const click = compared && clickOnLink(compared.comparing.choice, link.id);
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

function byComparing(opening: Opening, facts: OpeningFacts): Found {
  const { clicks, comparing } = compare(opening, facts);
  const match = matchByComparing(comparing);
  const { chosen } = comparing.choice;
  if (!chosen) return { ...NOTHING, ...match, comparing };
  const { clickId, linkId } = chosen.click;
  const usedClicks = [clickId, ...idsOf(siblingsOf(chosen.click, clicks))];
  return { ...NOTHING, ...match, link: facts.links.get(linkId) ?? null, clickId, usedClicks, comparing };
}

function compare(opening: Opening, facts: OpeningFacts): { clicks: MatchClick[]; comparing: Comparing } {
  const clicks = clicksFrom(facts, opening.projectId, opening.addressHashes);
  const windowMs = (facts.projects.get(opening.projectId)?.matchWindowSeconds ?? 0) * 1000;
  const seen = seenAt(facts, opening);
  return { clicks, comparing: compareClicks({ ...opening, windowMs }, { clicks, links: facts.links, seen }) };
}

function idsOf(clicks: readonly MatchClick[]): string[] {
  return clicks.map(({ clickId }) => clickId);
}
