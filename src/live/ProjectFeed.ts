import { type Loop, startLoop } from '../kernel/loop.ts';

interface FeedOptions {
  /** How long the feed pauses between two polls unless it is woken. */
  everyMs: () => number;
  onError: (error: unknown) => void;
}

/**
 * What happens in one project, for all listeners of this process. The store is polled, because other processes write to it
 * too; each poll tells the listeners what is new.
 */
export abstract class ProjectFeed<Listener> {
  protected readonly listeners = new Set<Listener>();
  readonly #options: FeedOptions;
  /** Those that listen and those that are about to. */
  readonly #members = new Set<Listener>();
  #loop: Loop | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Reads what is new and tells it to `listeners`. The first poll only finds out what there is. */
  protected abstract poll(): Promise<void>;

  /**
   * Resolves once the listener gets everything that reaches the store from now on; `greet` runs right before, between two
   * polls. Throws if the store cannot be queried.
   */
  protected enter(listener: Listener, greet: () => Promise<void> = async () => {}): Promise<void> {
    this.#members.add(listener);
    return this.#afterLast(async () => {
      await this.poll();
      await greet();
      // It may have left meanwhile.
      if (!this.#members.has(listener)) return;
      this.listeners.add(listener);
      this.#loop ??= startLoop(
        () => this.#afterLast(() => this.poll()),
        () => this.#options.everyMs(),
        this.#options.onError,
      );
    });
  }

  /** Returns whether there are other listeners. Without any, the store is no longer polled. */
  leave(listener: Listener): boolean {
    this.listeners.delete(listener);
    this.#members.delete(listener);
    if (this.#members.size > 0) return true;
    void this.#loop?.stop();
    this.#loop = null;
    return false;
  }

  /** Polls now, or right after the current poll. */
  wake(): void {
    this.#loop?.wake();
  }

  /** Resolves when no poll is running any more. */
  async stop(): Promise<void> {
    await this.#loop?.stop();
    await this.#last;
  }

  /** One poll at a time; otherwise something could be told twice. */
  #afterLast<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = this.#last.then(work);
    this.#last = next.catch(() => {});
    return next;
  }
}

/** The feeds of this process by their projects; a feed exists as long as somebody listens. */
export class Feeds<Listener, Feed extends ProjectFeed<Listener>> {
  readonly #feeds = new Map<string, Feed>();
  readonly #make: (projectId: string) => Feed;

  constructor(make: (projectId: string) => Feed) {
    this.#make = make;
  }

  of(projectId: string): Feed {
    const known = this.#feeds.get(projectId);
    if (known) return known;
    const feed = this.#make(projectId);
    this.#feeds.set(projectId, feed);
    return feed;
  }

  leave(projectId: string, listener: Listener): void {
    const feed = this.#feeds.get(projectId);
    if (feed && !feed.leave(listener)) this.#feeds.delete(projectId);
  }

  /** Wakes the feed of a project, if there is one; null wakes all. */
  wake(projectId: string | null): void {
    for (const feed of projectId === null ? this.#feeds.values() : [this.#feeds.get(projectId)]) feed?.wake();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#feeds.values()].map((feed) => feed.stop()));
  }
}
