import { clickStore } from '../clicks/chosenStore.ts';
import type { Click } from '../clicks/click.ts';
import { listeningProjects } from '../clicks/listeningProjects.ts';
import { groupCommit } from '../db/groupCommit.ts';
import type { Transaction } from '../db/sequelize.ts';
import { lockNames } from '../db/transactions.ts';
import type { AttributedOpening } from './AttributedOpening.ts';
import { applyOpening } from './applyOpening.ts';
import { whyNotCompared } from './decide/compareClicks.ts';
import { writeInstalls } from './installsStore.ts';
import { writeMatchReports } from './matchReportsStore.ts';
import { installKey, type Opening, type OpeningAnswer } from './Opening.ts';
import { guessingInstalls, type OpeningFacts, readOpeningFacts, tokenClickIds } from './openingFacts.ts';
import { insertOpens, writeRevisions } from './opensStore.ts';
import { fillOrigins } from './origins.ts';
import { storeSeenInstalls } from './seenInstallsStore.ts';
import { readClickUsers, useClicks } from './usedClicksStore.ts';

/** Another transaction used a click that this one wanted, under locks that the two do not share. */
class ClickTakenMeanwhile extends Error {}

/** The most retries after a lost race. */
const ATTEMPTS = 5;

/** Finds where an opening came from, and stores it. */
export async function attributeOpening(opening: Opening): Promise<OpeningAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attributeInGroup(opening);
    } catch (error) {
      if (!(error instanceof ClickTakenMeanwhile) || attempt === ATTEMPTS) throw error;
    }
  }
}

/**
 * Attributes openings that arrive at the same time, one after the other, and stores them with the clicks that they use in
 * one transaction. If a hundred installs claim one click at once, one of them gets it.
 */
const attributeInGroup = groupCommit<Opening, OpeningAnswer>(async (openings, transaction) => {
  // Their guesses may be revoked, so they are locked as well.
  const guessing = guessingInstalls(openings, await readClickUsers(tokenClickIds(openings), transaction));
  const names = new Set([...openings.flatMap(lockedNames), ...guessing.map(installKey)]);
  await lockNames(names, transaction);
  const facts = await readOpeningFacts(openings, transaction);
  const outcomes = openings.map((opening) => applyOpening(opening, facts));
  const attributed = outcomes.flatMap((outcome) => outcome.attributed ?? []);
  const isUnlocked = ({ install }: { install: { projectId: string; installId: string } }) =>
    !names.has(installKey(install));
  if (attributed.some(({ revised }) => revised.some(isUnlocked)))
    throw new ClickTakenMeanwhile('A click was guessed meanwhile');
  await write(attributed, facts, transaction);
  return outcomes.map(({ answer }) => answer);
});

/** What two simultaneous openings may both want: the same install, or clicks from the same address. */
function lockedNames({ projectId, installId, addressHashes }: Opening): string[] {
  return [installId, ...addressHashes.values()].map((name) => `${projectId} ${name}`);
}

async function write(
  attributed: readonly AttributedOpening[],
  facts: OpeningFacts,
  transaction: Transaction,
): Promise<void> {
  await claimClicks(attributed, transaction);
  const clicks = await fillOrigins(attributed, transaction);
  const revisions = attributed.flatMap(({ revised }) => revised);
  const installs = attributed.flatMap(({ revised, install }) => [...revised.map((each) => each.install), install]);
  const opens = attributed.map(({ open }) => open);
  await writeInstalls(latestOfEach(installs), transaction);
  await insertOpens(opens, transaction);
  await writeRevisions(revisions, transaction);
  // As in installAfter: a reinstall without a match does not replace what the install was attributed to before.
  const reported = attributed.filter(({ opening, open }) => {
    return open.kind === 'install' || (opening.isFirst && open.method !== 'none');
  });
  await writeMatchReports(reported, transaction);
  await storeSeenInstalls(attributed.flatMap(seenInstall(facts)), transaction);
  // Anybody who has the publishable key can invent installs: their clicks must not use up a link's click limit.
  const unlimited = attributed.flatMap(({ isUnknown, open }) =>
    isUnknown && open.clickId !== null ? open.clickId : [],
  );
  await countClicks(clicks, new Set(unlimited), transaction);
}

async function claimClicks(attributed: readonly AttributedOpening[], transaction: Transaction): Promise<void> {
  const claimed = await useClicks(
    attributed.flatMap(({ used }) => used),
    transaction,
  );
  const isLost = attributed.some(({ attribution: { clickId, usedClicks } }) => {
    return clickId !== null && usedClicks.includes(clickId) && !claimed.has(clickId);
  });
  if (isLost) throw new ClickTakenMeanwhile('A click was used meanwhile');
}

/** Where an app was opened is only stored if its device may be compared with clicks. */
function seenInstall({ projects }: OpeningFacts) {
  return ({ opening }: AttributedOpening) => {
    const { projectId, installId, device, consent, addressHash, atMs } = opening;
    if (whyNotCompared(projects.get(projectId), device, consent) !== null) return [];
    return [{ ...device, projectId, installId, addressHash, openedAt: atMs }];
  };
}

function latestOfEach<Row extends { projectId: string; installId: string }>(rows: Row[]): Row[] {
  return [...new Map(rows.map((row) => [installKey(row), row])).values()];
}

async function countClicks(clicks: Click[], unlimited: ReadonlySet<string>, transaction: Transaction): Promise<void> {
  if (clicks.length === 0) return;
  const listeners = await listeningProjects(transaction);
  await clickStore().write(clicks, (projectId) => listeners.has(projectId), transaction, unlimited);
}
