import { ofStore } from '../src/db/ofStore.ts';
import { clock } from '../src/kernel/clock.ts';
import { log } from '../src/kernel/log.ts';
import { yieldToBusyLoop } from '../src/kernel/yield.ts';
import { claimWalk, endWalk, isListed, isWalked, readUrls } from '../src/links/blocklistWalks.ts';
import type { Blocklist } from '../src/scan/Blocklist.ts';
import { blocklistFingerprint, loadBlocklists } from '../src/scan/blocklistFiles.ts';
import { flagFound } from './rescanLinks.ts';

/** Links of one read: about ten milliseconds of work, after which it yields to redirects. */
const BATCH = 1000;
/** The age at which the lease of a scan is renewed. */
const RENEWAL_MS = 10_000;

/** The lists that this process loaded last. */
class LoadedLists {
  /** `seenAt` null: it started with them. */
  #known: { fingerprint: string; seenAt: number | null; isDone: boolean } | null = null;

  /** The fingerprint of lists that no process has checked all links against; null when there are none. */
  async unchecked(): Promise<string | null> {
    await loadBlocklists();
    const fingerprint = blocklistFingerprint();
    if (fingerprint === null) {
      this.#known = null;
      return null;
    }
    if (this.#known?.fingerprint !== fingerprint) {
      this.#known = { fingerprint, seenAt: this.#known === null ? null : clock.now(), isDone: false };
    }
    const current = this.#known;
    current.isDone ||= await isWalked(fingerprint, current.seenAt);
    return current.isDone ? null : fingerprint;
  }
}

const loaded = ofStore(() => new LoadedLists());

/**
 * Whether the blocklists of this process have changed and no process has checked all links against them since. Every
 * process has files of its own, so lists are compared by content: the same content is checked once for all processes.
 */
export async function isWalkDue(): Promise<boolean> {
  return (await loaded().unchecked()) !== null;
}

/** Checks all links against blocklists that have changed, and flags those on them. The regular scan would take a day. */
export async function walkBlocklists(signal: AbortSignal): Promise<void> {
  const fingerprint = await loaded().unchecked();
  if (fingerprint === null) return;
  const heldUntil = await claimWalk(fingerprint, null);
  if (heldUntil !== null) await walk(await loadBlocklists(), { fingerprint, heldUntil }, signal);
}

interface Walk {
  fingerprint: string;
  heldUntil: number;
}

/** Checks all links from the beginning, unless it is stopped; the next run begins anew, which is quick. */
async function walk(lists: Blocklist[], held: Walk, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  const yieldIfBusy = yieldToBusyLoop(() => false);
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
      await yieldIfBusy();
    }
  } finally {
    await endWalk(held.fingerprint, held.heldUntil, isFinished);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  if (isFinished) log.info({ links: read, found, seconds }, 'checked all links against changed blocklists');
}

/** False if the process was delayed so long that another one has taken over. */
async function renew(held: Walk): Promise<boolean> {
  const renewed = await claimWalk(held.fingerprint, held.heldUntil);
  held.heldUntil = renewed ?? held.heldUntil;
  return renewed !== null;
}
