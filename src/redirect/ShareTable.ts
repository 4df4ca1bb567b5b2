/** What this process holds of the click limit of one link. Times are those of `performance.now()`. */
export class Share {
  /** People who may still be let through. */
  unused = 0;
  /** Whether the store has what waits in the journal and what is unused as the share; give or take what is being counted. */
  isKnown = false;
  /** Whether the store may have a share of this process. */
  mayHaveRow = false;
  /** Whether nobody holds anything of the limit that could be given to this process. */
  isExhausted = false;
  /** What is being asked of the store about this share. */
  asking: Promise<void> | null = null;
  /** People who wait for it. */
  needed = 0;
  /** The limit that links in memory have. */
  limit: number | null = null;
  #leaseEndsAt = 0;
  #answerEndsAt = 0;
  #recalledAt = Number.NEGATIVE_INFINITY;
  #usedAt = performance.now();

  /** Whether the next person gets nothing. */
  get isUsedUp(): boolean {
    return this.unused === 0 && this.isExhausted;
  }

  /** Whether a visitor can be answered without the store: within the share, or as the store has answered lately. */
  isDecided(isPerson: boolean): boolean {
    const now = performance.now();
    if (this.unused > 0 && now >= this.#leaseEndsAt) this.drop();
    return this.unused > 0 || (now < this.#answerEndsAt && (this.isExhausted || !isPerson));
  }

  /** Counts a person who is let through. `isLimited`: within the limit; others come on top of the share. */
  count(isLimited: boolean): void {
    this.#usedAt = performance.now();
    if (isLimited && this.unused > 0) this.unused -= 1;
    else this.isKnown = false;
  }

  /** The limit that a newly loaded link has, and its clicks. Returns whether something of another limit has to be given back. */
  adopt(limit: number, clicks: number): boolean {
    if (this.limit === limit) return false;
    const isChanged = this.limit !== null;
    this.limit = limit;
    this.isExhausted = clicks >= limit && !isChanged;
    this.#answerEndsAt = 0;
    if (!isChanged || this.unused === 0) return false;
    this.drop();
    return true;
  }

  grant(count: number, leaseEndsAt: number): void {
    this.unused += count;
    this.#leaseEndsAt = leaseEndsAt;
    if (count > 0) this.#usedAt = performance.now();
  }

  /** Lets nobody through any more; the store does not know of it yet. */
  drop(): void {
    if (this.unused > 0) this.isKnown = false;
    this.unused = 0;
  }

  /** The store has another share of this process than it thinks, or none. */
  lose(): void {
    this.unused = 0;
    this.isKnown = false;
  }

  endAsking(): void {
    this.asking = null;
    this.needed = 0;
  }

  answeredFor(milliseconds: number): void {
    this.#answerEndsAt = performance.now() + milliseconds;
  }

  isIdleFor(milliseconds: number): boolean {
    return performance.now() - this.#usedAt > milliseconds;
  }

  /** Whether the others have not been asked for their shares for that time; they are being asked now. */
  mayRecall(againMs: number): boolean {
    const now = performance.now();
    if (now - this.#recalledAt < againMs) return false;
    this.#recalledAt = now;
    return true;
  }
}

/** The shares of this process by link. */
export class ShareTable {
  readonly #shares = new Map<string, Share>();

  get(linkId: string): Share | undefined {
    return this.#shares.get(linkId);
  }

  /** The share of a link, which is made when there is none. */
  of(linkId: string): Share {
    let share = this.#shares.get(linkId);
    if (!share) {
      share = new Share();
      this.#shares.set(linkId, share);
    }
    return share;
  }

  entries(): Iterable<[string, Share]> {
    return this.#shares.entries();
  }

  /** Forgets links of which this process holds nothing and that nobody has followed for that time. */
  forgetIdle(milliseconds: number): void {
    for (const [id, share] of this.#shares)
      if (!share.mayHaveRow && !share.asking && share.unused === 0 && share.isIdleFor(milliseconds))
        this.#shares.delete(id);
  }
}
