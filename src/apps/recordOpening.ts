import type { Click } from '../clicks/click.ts';
import { listeningProjects } from '../clicks/listeningProjects.ts';
import { writeClicks } from '../clicks/store.ts';
import { takeTurns } from '../clicks/takeTurns.ts';
import { lockNames } from '../db/lockNames.ts';
import type { Transaction } from '../db/sequelize.ts';
import { together } from '../db/together.ts';
import { type Decision, decideOpening } from './decideOpening.ts';
import { writeReports } from './matchReports.ts';
import { installKey, type Opening, type RecordedOpening } from './Opening.ts';
import { readFacts } from './openingFacts.ts';
import { insertOpens } from './opens.ts';
import { tellOrigins } from './tellOrigins.ts';
import { useClicks } from './usedClicks.ts';
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
  await lockNames(openings.flatMap(namesOf), transaction);
  const facts = await readFacts(openings, transaction);
  const decisions = openings.map((opening) => decideOpening(opening, facts));
  await write(decisions, transaction);
  return decisions.map(({ answer }) => answer);
});

/** What two openings at once may want: the same install, or clicks from the same address. */
function namesOf({ projectId, installId, addressHashes }: Opening): string[] {
  return [installId, ...addressHashes.values()].map((name) => `${projectId} ${name}`);
}

async function write(decisions: readonly Decision[], transaction: Transaction): Promise<void> {
  const fresh = decisions.flatMap(({ fresh }) => fresh ?? []);
  const wanted = fresh.flatMap(({ used }) => used);
  const used = await useClicks(wanted, transaction);
  const isLost = fresh.some(({ found: { clickId, usedClicks } }) => {
    return clickId !== null && usedClicks.includes(clickId) && !used.has(clickId);
  });
  if (isLost) throw new UsedMeanwhile('A click was used meanwhile');
  const clicks = await tellOrigins(fresh, transaction);
  await writeInstalls(lastOf(fresh.map(({ install }) => install)), transaction);
  await insertOpens(
    fresh.map(({ open }) => open),
    transaction,
  );
  await writeReports(
    // As installAfter: what nothing came of does not take the place of what an install is traced back by.
    fresh.filter(({ opening, open }) => open.kind === 'install' || (opening.isFirst && open.method !== 'none')),
    transaction,
  );
  await countClicks(clicks, transaction);
}

/** Of each install what it came to in the end. */
function lastOf<Row extends { projectId: string; installId: string }>(rows: Row[]): Row[] {
  return [...new Map(rows.map((row) => [installKey(row), row])).values()];
}

async function countClicks(clicks: Click[], transaction: Transaction): Promise<void> {
  if (clicks.length === 0) return;
  const listeners = await listeningProjects(transaction);
  const projectIds = clicks.map(({ projectId }) => projectId);
  await takeTurns(projectIds, transaction);
  await writeClicks(clicks, (projectId) => listeners.has(projectId), transaction);
}
