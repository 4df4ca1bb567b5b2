import type { Click } from '../clicks/click.ts';
import { listeningProjects } from '../clicks/listeningProjects.ts';
import { writeClicks } from '../clicks/store.ts';
import { takeTurns } from '../clicks/takeTurns.ts';
import { lockNames } from '../db/lockNames.ts';
import type { Transaction } from '../db/sequelize.ts';
import { together } from '../db/together.ts';
import { storeSeenInstalls } from '../matching/seenInstalls.ts';
import { type Decision, decideOpening, type FreshOpening } from './decideOpening.ts';
import { writeReports } from './matchReports.ts';
import { installKey, type Opening, type RecordedOpening } from './Opening.ts';
import { guessersOf, type OpeningFacts, readFacts, tokenClickIds } from './openingFacts.ts';
import { insertOpens } from './opens.ts';
import { writeRevisions } from './takeBack.ts';
import { tellOrigins } from './tellOrigins.ts';
import { useClicks, usersOfClicks } from './usedClicks.ts';
import { whyOff } from './whyOff.ts';
import { writeInstalls } from './writeInstalls.ts';

/** A click was used meanwhile by an install that has nothing in common with this one but the click's token. */
class UsedMeanwhile extends Error {}

/** More often than that nobody loses the race. */
const ATTEMPTS = 5;

/** Finds where an opening comes from and writes it down. */
export async function recordOpening(opening: Opening): Promise<RecordedOpening> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await recordTogether(opening);
    } catch (error) {
      if (!(error instanceof UsedMeanwhile) || attempt === ATTEMPTS) throw error;
    }
  }
}

/**
 * Decides on openings that come at the same time, one after the other, and writes them down with the clicks that they use,
 * in one transaction: of a hundred installs that ask for one click at once, one gets it.
 */
const recordTogether = together<Opening, RecordedOpening>(async (openings, transaction) => {
  // Whose guesses may be taken back.
  const guessers = guessersOf(openings, await usersOfClicks(tokenClickIds(openings), transaction));
  const names = new Set([...openings.flatMap(namesOf), ...guessers.map(installKey)]);
  await lockNames(names, transaction);
  const facts = await readFacts(openings, transaction);
  const decisions = openings.map((opening) => decideOpening(opening, facts));
  const revised = decisions.flatMap(({ fresh }) => fresh?.revised ?? []);
  if (revised.some(({ install }) => !names.has(installKey(install))))
    throw new UsedMeanwhile('A click was guessed meanwhile');
  await write(decisions, facts, transaction);
  return decisions.map(({ answer }) => answer);
});

/** What two openings at once may want: the same install, or clicks from the same address. */
function namesOf({ projectId, installId, addressHashes }: Opening): string[] {
  return [installId, ...addressHashes.values()].map((name) => `${projectId} ${name}`);
}

async function write(decisions: readonly Decision[], facts: OpeningFacts, transaction: Transaction): Promise<void> {
  const fresh = decisions.flatMap(({ fresh }) => fresh ?? []);
  const wanted = fresh.flatMap(({ used }) => used);
  const used = await useClicks(wanted, transaction);
  const isLost = fresh.some(({ found: { clickId, usedClicks } }) => {
    return clickId !== null && usedClicks.includes(clickId) && !used.has(clickId);
  });
  if (isLost) throw new UsedMeanwhile('A click was used meanwhile');
  const clicks = await tellOrigins(fresh, transaction);
  const installs = fresh.flatMap(({ revised, install }) => [...revised.map((revision) => revision.install), install]);
  await writeInstalls(lastOf(installs), transaction);
  await insertOpens(
    fresh.map(({ open }) => open),
    transaction,
  );
  await writeRevisions(
    fresh.flatMap(({ revised }) => revised),
    transaction,
  );
  await writeReports(
    // As installAfter: what nothing came of does not take the place of what an install is traced back by.
    fresh.filter(({ opening, open }) => open.kind === 'install' || (opening.isFirst && open.method !== 'none')),
    transaction,
  );
  await storeSeenInstalls(fresh.flatMap(seenOf(facts)), transaction);
  // Whoever has the public key can make up installs: that must not end a link for everybody.
  const made = fresh.flatMap(({ isUnknown, open }) => (isUnknown && open.clickId !== null ? open.clickId : []));
  await countClicks(clicks, new Set(made), transaction);
}

/** Where an app was opened is kept of those alone whose device may be compared with clicks. */
function seenOf({ projects }: OpeningFacts) {
  return ({ opening }: FreshOpening) => {
    const { projectId, installId, device, consent, addressHash, atMs } = opening;
    if (whyOff(projects.get(projectId), device, consent) !== null) return [];
    return [{ ...device, projectId, installId, addressHash, openedAt: atMs }];
  };
}

/** Of each install what it came to in the end. */
function lastOf<Row extends { projectId: string; installId: string }>(rows: Row[]): Row[] {
  return [...new Map(rows.map((row) => [installKey(row), row])).values()];
}

async function countClicks(clicks: Click[], unlimited: ReadonlySet<string>, transaction: Transaction): Promise<void> {
  if (clicks.length === 0) return;
  const listeners = await listeningProjects(transaction);
  const projectIds = clicks.map(({ projectId }) => projectId);
  await takeTurns(projectIds, transaction);
  await writeClicks(clicks, (projectId) => listeners.has(projectId), transaction, unlimited);
}
