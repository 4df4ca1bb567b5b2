import { clock } from '../src/kernel/clock.ts';
import { log } from '../src/kernel/log.ts';
import { yieldToBusyLoop } from '../src/kernel/yield.ts';
import { claimWalk, endWalk, isListed, isWalked, readUrls } from '../src/links/blocklistWalks.ts';
import type { Blocklist } from '../src/scan/Blocklist.ts';
import { blocklistFingerprint, loadBlocklists } from '../src/scan/blocklistFiles.ts';
import { flagFound } from './rescanLinks.ts';

/** Links of one read: about ten milliseconds of work, after which redirects get their turn. */
const BATCH = 1000;
/** The lease of a walk is renewed when it is this old. */
const RENEWAL_MS = 10_000;

/** The lists of this process as it last looked. `seenAt` null: it started with them. */
let known: { fingerprint: string; seenAt: number | null; isDone: boolean } | null = null;

/**
 * Whether the blocklists of this process have changed and no process has held all links against them since. Every process
 * has files of its own, so it goes by what stands in them: one that is alike for several is dealt with once.
 */
export async function isWalkDue(): Promise<boolean> {
  await loadBlocklists();
  const fingerprint = blocklistFingerprint();
  if (fingerprint === null) {
    known = null;
    return false;
  }
  if (known?.fingerprint !== fingerprint) {
    known = { fingerprint, seenAt: known === null ? null : clock.now(), isDone: false };
  }
  const current = known;
  current.isDone ||= await isWalked(fingerprint, current.seenAt);
  return !current.isDone;
}

/** Holds all links against the blocklists when these have changed, and flags those on them: the regular scan takes a day. */
export async function walkBlocklists(signal: AbortSignal): Promise<void> {
  if (!(await isWalkDue()) || known === null) return;
  const { fingerprint } = known;
  const heldUntil = await claimWalk(fingerprint, null);
  if (heldUntil !== null) await walk(await loadBlocklists(), { fingerprint, heldUntil }, signal);
}

interface Walk {
  fingerprint: string;
  heldUntil: number;
}

/** To the end, unless it is stopped: whoever goes on begins at the beginning, which is quick. */
async function walk(lists: Blocklist[], held: Walk, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  const giveWay = yieldToBusyLoop(() => false);
  let renewedAt = startedAt;
  let [after, read, found, isFinished] = ['', 0, 0, false];
  try {
    while (!isFinished && !signal.aborted) {
      const links = await readUrls(after, BATCH);
      const listed = links.filter((link) => isListed(link, lists)).map(({ id }) => id);
      await flagFound(listed);
      read += links.length;
      found += listed.length;
      after = links.at(-1)?.id ?? after;
      isFinished = links.length < BATCH;
      if (performance.now() - renewedAt > RENEWAL_MS) {
        if (!(await renew(held))) return;
        renewedAt = performance.now();
      }
      await giveWay();
    }
  } finally {
    await endWalk(held.fingerprint, held.heldUntil, isFinished);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  if (isFinished) log.info({ links: read, found, seconds }, 'links were held against changed blocklists');
}

/** False: the process was held up for so long that another has taken the walk. */
async function renew(held: Walk): Promise<boolean> {
  const renewed = await claimWalk(held.fingerprint, held.heldUntil);
  held.heldUntil = renewed ?? held.heldUntil;
  return renewed !== null;
}
