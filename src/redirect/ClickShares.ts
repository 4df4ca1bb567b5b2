import { lostBefore } from '../clicks/lost/journalStore.ts';
import {
  deleteOldShares,
  leaseShare,
  readLeft,
  recallShares,
  SHARE_LEASE_MS,
  settleShares,
  takeOverShares,
} from '../clicks/shareStore.ts';
import { limitConcurrency } from '../kernel/concurrency.ts';
import { withTimeout } from '../kernel/deadline.ts';
import { log } from '../kernel/log.ts';
import { startLoop } from '../kernel/loop.ts';
import { signals } from '../kernel/signals.ts';
import { StoreUnresponsive, unlessStoreSilent } from '../kernel/storeResponse.ts';
import { ClickLimits, type LeftoverClicks, type LimitedLink } from './ClickLimits.ts';
import { type Share, ShareTable } from './ShareTable.ts';

/** How often leases are renewed; one lasts five times as long. */
const RENEW_MS = 60_000;
/** A lease ends here before it ends in the store. */
const MARGIN_MS = 15_000;
/** For how long it holds that nothing is left, or that something is: as long as a changed count may go unseen. */
const ANSWER_MS = 2000;
/** The same while other processes are giving back what they have not used. */
const RECALL_MS = 300;
/** How often the others are asked to give a link's shares back. */
const RECALL_AGAIN_MS = 10_000;
/** How long a visitor waits for a share; the contract allows 2 seconds in all, and 100 ms while the store hangs. */
const WAIT_MS = 1700;
const WAIT_WHILE_HANGING_MS = 80;
/** Shares are leased at so many links at once, which leaves connections for others. */
const LEASES_AT_ONCE = 4;
/** Shares that are settled in one statement. */
const SETTLED_AT_ONCE = 500;

/** What `ClickShares` does in the store; see src/clicks/shareStore.ts. */
export const SHARE_STORE = { leaseShare, readLeft, settleShares, takeOverShares, recallShares, deleteOldShares };

interface Options {
  /** The name of this process's journal. */
  holder: string;
  /** The name that the journal had when another process wrote it. */
  former: string | null;
  store?: typeof SHARE_STORE;
}

/**
 * Click limits of a store that several processes share. Each process leases shares of a limit and lets people through within
 * them, without asking anybody. At any moment, `counted + all shares <= limit`, where the share of a process is the clicks that
 * wait in its journal and those that it may still let through. The drain lowers it in the transaction that counts the clicks.
 */
export class ClickShares extends ClickLimits {
  readonly #shares = new ShareTable();
  readonly #holder: string;
  readonly #store: typeof SHARE_STORE;
  readonly #atOnce = limitConcurrency(LEASES_AT_ONCE);
  #loop: { stop(): Promise<void> } | null = null;
  readonly #unsubscribe: () => void;
  #former: string | null;
  #isTakenOver = false;
  #hangs = false;

  constructor({ holder, former, store = SHARE_STORE }: Options) {
    super(() => Promise.reject(new Error('limits are in shares')));
    this.#holder = holder;
    this.#former = former;
    this.#store = store;
    this.#unsubscribe = signals.on('share', (linkId) => this.#giveBack(linkId));
  }

  /** Shares are settled from then on, not before: those of an earlier process are what it left in the journal. */
  override countLeftovers(left: AsyncIterable<LeftoverClicks>): Promise<void> {
    const counted = super.countLeftovers(left);
    this.#loop = startLoop(
      () => this.#settleAll(),
      () => RENEW_MS,
      (error) => log.debug({ err: error }, 'shares of click limits could not be renewed'),
    );
    return counted;
  }

  override countPerson(linkId: string, isLimited = false): void {
    super.countPerson(linkId);
    this.#shares.get(linkId)?.count(isLimited);
  }

  override async track<Link extends LimitedLink>(link: Link): Promise<Link> {
    return this.trackRemembered(link);
  }

  override trackRemembered<Link extends LimitedLink>(link: Link): Link {
    const { id, clickLimit, clicks } = link;
    if (clickLimit === null) return link;
    const share = this.#shares.of(id);
    if (share.adopt(clickLimit, clicks)) void this.#settle([id]).catch(() => {});
    return Object.defineProperty(link, 'clicks', {
      enumerable: true,
      get: () => (this.#shares.of(id).isUsedUp ? clickLimit : 0),
    });
  }

  /**
   * Null: a person may be let through, or the limit is used up, and `clicks` of the link says which. Otherwise wait and ask again.
   * Rejects if that cannot be known because the store is away. `sinceMs`: when the visitor came, by `performance.now()`.
   */
  override admit(link: LimitedLink, isPerson: boolean, sinceMs: number): Promise<void> | null {
    if (link.clickLimit === null) return null;
    const share = this.#shares.of(link.id);
    share.limit ??= link.clickLimit;
    if (share.isDecided(isPerson)) return null;
    return this.#wait(link.id, share, isPerson, sinceMs);
  }

  /** Gives everything back that was not used. */
  override async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#loop?.stop();
    for (const [, share] of this.#shares.entries()) share.drop();
    await this.#settleAll().catch((error) => log.debug({ err: error }, 'shares of click limits were not given back'));
  }

  async #wait(linkId: string, share: Share, isPerson: boolean, sinceMs: number): Promise<void> {
    if (isPerson) share.needed += 1;
    share.asking ??= this.#startAsking(linkId, share);
    const { asking } = share;
    const patience = this.#hangs ? WAIT_WHILE_HANGING_MS : WAIT_MS;
    const left = Math.max(0, sinceMs + patience - performance.now());
    const late = () => new StoreUnresponsive(`the store gave no share of a click limit for ${patience} ms`);
    try {
      await unlessStoreSilent(() => withTimeout(asking, left, late));
    } catch (error) {
      this.#hangs = true;
      // Bots do not count, and a limit that was used up stays so.
      if (isPerson && !share.isUsedUp) throw error;
      share.answeredFor(ANSWER_MS);
    }
  }

  #startAsking(linkId: string, share: Share): Promise<void> {
    const asking = this.#ask(linkId, share).finally(() => share.endAsking());
    // Whoever waits handles the error; perhaps nobody waits any more.
    asking.catch(() => {});
    return asking;
  }

  async #ask(linkId: string, share: Share): Promise<void> {
    // Everybody who comes in this turn of the event loop is asked for at once.
    await new Promise(setImmediate);
    const { needed, limit } = share;
    share.needed = 0;
    const startedAt = performance.now();
    try {
      const lease = await this.#atOnce(() => this.#lease(linkId, share, needed));
      if (lease === null) return;
      this.#hangs = false;
      // Another limit has been set meanwhile: the next question says what holds.
      if (share.limit !== limit) return share.lose();
      share.grant(lease.granted, startedAt + SHARE_LEASE_MS - MARGIN_MS);
      share.isExhausted = lease.left === 0;
      const mayReturn = share.isExhausted && lease.others > 0;
      share.answeredFor(mayReturn ? RECALL_MS : ANSWER_MS);
      if (mayReturn) this.#recall(linkId, share);
    } catch (error) {
      share.isKnown = false;
      throw error;
    }
  }

  #lease(linkId: string, share: Share, needed: number) {
    if (needed === 0) return this.#store.readLeft(linkId, this.#holder);
    const request = { linkId, holder: this.#holder, needed, lostBefore: lostBefore() };
    share.mayHaveRow = true;
    if (share.isKnown) return this.#store.leaseShare({ ...request, base: null });
    return this.whileNothingMoves(() => {
      share.isKnown = true;
      return this.#store.leaseShare({ ...request, base: this.waitingOf(linkId) + share.unused });
    });
  }

  #recall(linkId: string, share: Share): void {
    if (!share.mayRecall(RECALL_AGAIN_MS)) return;
    this.#store.recallShares(linkId).catch((error) => log.debug({ err: error }, 'shares were not called back'));
  }

  /** Another process has run out of a limit of which this one may have something left. */
  #giveBack(linkId: string): void {
    const share = this.#shares.get(linkId);
    if (!share || share.unused === 0 || share.asking) return;
    share.drop();
    this.#settle([linkId]).catch((error) => log.debug({ err: error }, 'a share was not given back'));
  }

  /** Renews leases, and gives back what was not used for the time of one. */
  async #settleAll(): Promise<void> {
    if (!this.#isTakenOver) await this.#takeOver();
    for (const [, share] of this.#shares.entries()) if (share.isIdleFor(SHARE_LEASE_MS)) share.drop();
    const ids = [...this.#shares.entries()].filter(([, { mayHaveRow }]) => mayHaveRow).map(([id]) => id);
    for (let at = 0; at < ids.length; at += SETTLED_AT_ONCE) await this.#settle(ids.slice(at, at + SETTLED_AT_ONCE));
    this.#shares.forgetIdle(SHARE_LEASE_MS);
  }

  /** The shares that this process had before a kill are what its journal holds of them. */
  async #takeOver(): Promise<void> {
    await this.#store.deleteOldShares();
    for (const id of await this.#store.takeOverShares(this.#holder, this.#former))
      this.#shares.of(id).mayHaveRow = true;
    this.#former = null;
    this.#isTakenOver = true;
  }

  #settle(ids: readonly string[]): Promise<void> {
    return this.whileNothingMoves(async () => {
      const settled = ids.flatMap((id) => {
        const share = this.#shares.of(id);
        return share.asking ? [] : [{ id, share, value: this.waitingOf(id) + share.unused }];
      });
      if (settled.length === 0) return;
      const written = this.#write(settled).finally(() => {
        for (const { share } of settled) share.endAsking();
      });
      for (const { share } of settled) share.asking = written;
      await written;
    });
  }

  async #write(settled: readonly { id: string; share: Share; value: number }[]): Promise<void> {
    const startedAt = performance.now();
    for (const { share } of settled) share.isKnown = true;
    try {
      const kept = await this.#store.settleShares(
        this.#holder,
        settled.map(({ id, value }) => [id, value]),
      );
      for (const { id, share, value } of settled) {
        share.mayHaveRow = kept.has(id);
        if (kept.has(id)) share.grant(0, startedAt + SHARE_LEASE_MS - MARGIN_MS);
        else if (value > 0) share.lose();
      }
    } catch (error) {
      for (const { share } of settled) share.isKnown = false;
      throw error;
    }
  }
}
