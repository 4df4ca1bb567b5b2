import { newClickId } from '../clicks/newClickId.ts';
import { DAY_MS } from '../kernel/durations.ts';
import { newId, toUuid } from '../kernel/ids.ts';
import type { Found } from './Found.ts';
import { figuresOfDevice } from './figures.ts';
import { findOrigin } from './findOrigin.ts';
import { installAfter } from './installAfter.ts';
import { installKey, type Opening, type RecordedOpening } from './Opening.ts';
import { noteSeen, type OpeningFacts } from './openingFacts.ts';
import type { OpenRow } from './opens.ts';
import { type Revision, takeBack } from './takeBack.ts';
import type { UsedClick } from './usedClicks.ts';
import type { InstallRow } from './writeInstalls.ts';

/** What becomes of an opening. `fresh`: what is to be written; null: all was written with an earlier one. */
export interface Decision {
  answer: RecordedOpening;
  fresh: FreshOpening | null;
}

export interface FreshOpening {
  opening: Opening;
  found: Found;
  open: OpenRow;
  install: InstallRow;
  /** Nothing was known of the install. */
  isUnknown: boolean;
  used: UsedClick[];
  /** A guess that turned out to be wrong. */
  revised: Revision[];
}

/** So long the same install's first opening gets the first answer (api.md §6). */
const REPEATED_MS = DAY_MS;

/** Decides by the facts, and puts into them what later openings must know of it. */
export function decideOpening(opening: Opening, facts: OpeningFacts): Decision {
  const key = installKey(opening);
  const before = facts.installs.get(key) ?? null;
  const repeated = before && repeatedAnswer(opening, before, facts);
  if (repeated) return { answer: repeated, fresh: null };
  const found = findOrigin(opening, facts);
  const { projectId, installId } = opening;
  const used = found.usedClicks.map((clickId) => {
    const byToken = clickId === found.clickId && found.method !== 'probabilistic';
    return { clickId, projectId, installId, byToken, takenFrom: facts.users.get(clickId)?.installId ?? null };
  });
  const revised = used.flatMap(({ takenFrom }) => (takenFrom === null ? [] : takeBack(takenFrom, opening, facts)));
  noteSeen(facts, opening);
  for (const { clickId, byToken } of used) facts.users.set(clickId, { installId, byToken });
  const open = openRow(opening, before, found);
  const install = installAfter(before, opening, open, newId('ins'));
  facts.installs.set(key, install);
  const answer = { openId: open.id, match: open, link: found.link };
  if (opening.isFirst) facts.answers.set(open.id, answer);
  return { answer, fresh: { opening, found, open, install, isUnknown: before === null, used, revised } };
}

function repeatedAnswer(
  { isFirst, atMs }: Opening,
  { firstOpenId, firstOpenAt }: InstallRow,
  { answers }: OpeningFacts,
): RecordedOpening | null {
  if (!isFirst || !firstOpenId || !firstOpenAt || atMs - firstOpenAt.getTime() >= REPEATED_MS) return null;
  const answer = answers.get(firstOpenId);
  // As it is now: a link that was flagged since must not be opened.
  return answer ? { ...answer, link: answer.link?.flaggedAt === null ? answer.link : null } : null;
}

function openRow(opening: Opening, install: InstallRow | null, found: Found): OpenRow {
  const { projectId, installId, isFirst, atMs, device, place, appVersion } = opening;
  const { method, confidence, factors, clickedAt, clickId, link, isClick } = found;
  const kind = !isFirst ? 'open' : install?.installedAt ? 'reinstall' : 'install';
  return {
    id: toUuid(newId('evt')),
    projectId,
    installId,
    kind,
    occurredAt: atMs,
    ...{ method, confidence, factors, clickedAt },
    clickId: isClick ? newClickId() : clickId,
    ...figuresOfDevice(device, place),
    appVersion,
    linkId: link?.id ?? null,
    domain: link?.domain ?? null,
    slug: link?.slug ?? null,
    origin: null,
    uncollected: kind === 'install' || method !== 'none',
  };
}
