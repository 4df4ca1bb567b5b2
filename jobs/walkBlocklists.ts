import { givingWay } from '../src/clicks/givingWay.ts';
import { clock } from '../src/kernel/clock.ts';
import { log } from '../src/kernel/log.ts';
import type { Blocklist } from '../src/scan/Blocklist.ts';
import { blocklistFingerprint, blocklists } from '../src/scan/blocklists.ts';
import { claimWalk, endWalk, isListed, isWalked, readUrls } from '../src/scan/blocklistWalks.ts';
import { flagFound } from './rescanLinks.ts';

/** Links of one read: about ten milliseconds of work, after which redirects get their turn. */
const BATCH = 1000;
/** The lease of a walk is renewed when it is this old. */
const RENEWAL_MS = 10_000;

/** The lists of this process as it last looked. `seenAt` null: it started with them. */
let known: { fingerprint: string; seenAt: number | null; isDone: boolean } | null = null;

/**
 * Holds all links against the blocklists when these have changed, and flags those that are on them now: the regular scan
 * takes a day. Every process has files of its own, so it goes by what stands in them. One that is alike for several is
 * dealt with once.
 */
export async function walkBlocklists(signal: AbortSignal): Promise<void> {
  const lists = await blocklists();
  const fingerprint = blocklistFingerprint();
  if (fingerprint === null) {
    known = null;
    return;
  }
  if (known?.fingerprint !== fingerprint) {
    known = { fingerprint, seenAt: known === null ? null : clock.now(), isDone: false };
  }
  const current = known;
  if (current.isDone) return;
  current.isDone = await isWalked(fingerprint, current.seenAt);
  if (current.isDone) return;
  const heldUntil = await claimWalk(fingerprint, null);
  if (heldUntil !== null) await walk(lists, { fingerprint, heldUntil }, signal);
}

interface Walk {
  fingerprint: string;
  heldUntil: number;
}

/** To the end, unless it is stopped: whoever goes on begins at the beginning, which is quick. */
async function walk(lists: Blocklist[], held: Walk, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  const giveWay = givingWay(() => false);
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
