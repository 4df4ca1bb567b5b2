import { DAY_MS } from '../kernel/clock.ts';
import { newClickId, newId, toUuid } from '../kernel/ids.ts';
import type { Link } from '../models/Link.ts';
import type { AttributedOpening } from './AttributedOpening.ts';
import { passes } from './clickTokens.ts';
import { dimensionsOfDevice } from './dimensions.ts';
import { findAttribution } from './findAttribution.ts';
import type { InstallRow } from './installsStore.ts';
import { type Attribution, installKey, type Opening, type OpeningAnswer } from './Opening.ts';
import { type OpeningFacts, rememberSeen } from './openingFacts.ts';
import type { Revision, StoredOpen } from './opensStore.ts';

/** What an opening is answered, and what is to be stored; `attributed` is null for a repeat of an earlier opening. */
export interface OpeningOutcome {
  answer: OpeningAnswer;
  attributed: AttributedOpening | null;
}

/** For this long, a repeated first opening of an install gets the first answer again (api.md §6). */
const REPEATED_MS = DAY_MS;

/** Attributes an opening by the facts, and updates the facts with what later openings must know about it. */
export function applyOpening(opening: Opening, facts: OpeningFacts): OpeningOutcome {
  const key = installKey(opening);
  const before = facts.installs.get(key) ?? null;
  const repeated = before && repeatedAnswer(opening, before, facts);
  if (repeated) return { answer: repeated, attributed: null };
  const attribution = findAttribution(opening, facts);
  const { projectId, installId } = opening;
  const used = attribution.usedClicks.map((clickId) => {
    const byToken = clickId === attribution.clickId && attribution.method !== 'probabilistic';
    return { clickId, projectId, installId, byToken, takenFrom: facts.users.get(clickId)?.installId ?? null };
  });
  const revised = used.flatMap(({ takenFrom }) => (takenFrom === null ? [] : revokeGuess(takenFrom, opening, facts)));
  rememberSeen(facts, opening);
  for (const { clickId, byToken } of used) facts.users.set(clickId, { installId, byToken });
  const open = newOpen(opening, before, attribution);
  const install = installAfter(before, opening, open, newId('ins'));
  facts.installs.set(key, install);
  const answer = { openId: open.id, match: open, link: attribution.link };
  if (opening.isFirst) facts.answers.set(open.id, answer);
  return {
    answer: shownTo(opening, answer),
    attributed: { opening, attribution, open, install, isUnknown: before === null, used, revised },
  };
}

function repeatedAnswer(
  opening: Opening,
  { firstOpenId, firstOpenAt }: InstallRow,
  { answers }: OpeningFacts,
): OpeningAnswer | null {
  if (!opening.isFirst || !firstOpenId || !firstOpenAt || opening.atMs - firstOpenAt.getTime() >= REPEATED_MS)
    return null;
  const answer = answers.get(firstOpenId);
  return answer ? shownTo(opening, answer) : null;
}

/** The answer without the link, where the link must not be opened by now. Its match stays: the click did lead to the app. */
function shownTo(opening: Opening, answer: OpeningAnswer): OpeningAnswer {
  return answer.link && mayOpen(opening, answer.link) ? answer : { ...answer, link: null };
}

/**
 * Whether the visitor may see where a link leads. Only the token of a click proves that the password was entered, and only the
 * one that the link has now. A guess proves nothing: somebody else may have the same phone at the same address.
 */
function mayOpen({ tokens }: Opening, { id, flaggedAt, passwordHash }: Link): boolean {
  if (flaggedAt !== null) return false;
  if (passwordHash === null) return true;
  return tokens.some(({ check }) => check.ok && check.linkId === id && passes(check, passwordHash));
}

function newOpen(opening: Opening, install: InstallRow | null, attribution: Attribution): StoredOpen {
  const { projectId, installId, isFirst, atMs, device, place, appVersion } = opening;
  const { method, confidence, factors, clickedAt, clickId, link, isClick } = attribution;
  const kind = !isFirst ? 'open' : install?.installedAt ? 'reinstall' : 'install';
  return {
    id: toUuid(newId('evt')),
    projectId,
    installId,
    kind,
    occurredAt: atMs,
    ...{ method, confidence, factors, clickedAt },
    clickId: isClick ? newClickId() : clickId,
    ...dimensionsOfDevice(device, place),
    appVersion,
    linkId: link?.id ?? null,
    domain: link?.domain ?? null,
    slug: link?.slug ?? null,
    origin: null,
    uncollected: kind === 'install' || method !== 'none',
  };
}

/**
 * The install after an opening. A first opening creates it, or reports a reinstallation: a match then replaces the earlier
 * attribution, while no match leaves it as it is.
 */
function installAfter(before: InstallRow | null, opening: Opening, open: StoredOpen, id: string): InstallRow {
  const at = new Date(opening.atMs);
  const known: InstallRow = before ?? newInstall(opening, id);
  const { osVersion } = opening.device;
  const seen = {
    ...known,
    platform: opening.device.platform,
    appVersion: opening.appVersion ?? known.appVersion,
    osVersion: osVersion ?? known.osVersion,
    device: open.device ?? known.device,
    language: open.language ?? known.language,
    updatedAt: at,
  };
  if (!opening.isFirst) return seen;
  const first = { ...seen, installedAt: known.installedAt ?? at, firstOpenId: open.id, firstOpenAt: at };
  return open.kind === 'install' || open.method !== 'none' ? { ...first, ...attributionOf(open, at) } : first;
}

function attributionOf(open: StoredOpen, at: Date) {
  const { method, confidence, factors, clickedAt, clickId, linkId, domain, slug, origin } = open;
  const attributedAt = linkId === null ? null : at;
  return {
    method,
    confidence,
    factors,
    clickedAt,
    clickId,
    linkId,
    domain,
    slug,
    origin,
    attributedAt,
    matchRevisedAt: null,
  };
}

function newInstall({ projectId, installId, device, atMs }: Opening, id: string): InstallRow {
  const at = new Date(atMs);
  return {
    ...{ id, projectId, installId, platform: device.platform, appVersion: null, osVersion: null },
    ...{ device: null, language: null },
    ...{ firstOpenedAt: at, installedAt: null, firstOpenId: null, firstOpenAt: null },
    ...{ method: 'none', confidence: 0, factors: [], clickedAt: null, clickId: null },
    ...{ linkId: null, attributedAt: null, matchRevisedAt: null, domain: null, slug: null, origin: null },
    ...{ createdAt: at, updatedAt: at },
  };
}

const NO_MATCH = { method: 'none' as const, confidence: 0, factors: [{ name: 'guess_taken_back', points: 0 }] };
const NO_ORIGIN = {
  clickedAt: null,
  clickId: null,
  linkId: null,
  attributedAt: null,
  domain: null,
  slug: null,
  origin: null,
};

/**
 * Revokes the guess that an install was attributed by, because `opening` presented the token of that click. Does nothing if
 * the install was not attributed by a guess. Webhooks that have reported the guess are not sent a correction.
 */
function revokeGuess(installId: string, opening: Opening, facts: OpeningFacts): Revision[] {
  const key = installKey({ projectId: opening.projectId, installId });
  const guessed = facts.installs.get(key);
  if (!guessed || installId === opening.installId || guessed.method !== 'probabilistic') return [];
  const at = new Date(opening.atMs);
  const install: InstallRow = { ...guessed, ...NO_MATCH, ...NO_ORIGIN, matchRevisedAt: at, updatedAt: at };
  facts.installs.set(key, install);
  const { firstOpenId: openId, linkId, attributedAt } = guessed;
  if (openId && facts.answers.has(openId))
    facts.answers.set(openId, { openId, match: { ...NO_MATCH, clickedAt: null }, link: null });
  return [{ install, linkId, attributedAt }];
}
