import { useEffect, useState, useSyncExternalStore } from 'react';
import { type LiveClick, LiveStream } from './LiveStream.ts';

export type { LiveClick };

export interface LiveState {
  /** Newest first, at most 50. */
  clicks: readonly LiveClick[];
  /** Clicks that came too fast to be shown, since the first that is shown. */
  skipped: number;
  /** Whether clicks arrive at the moment. */
  isOpen: boolean;
}

const MOST_KEPT = 50;
const NOTHING: LiveState = { clicks: [], skipped: 0, isOpen: false };

/** The clicks of a project, or of one of its links, as they happen while the page is visible. */
export function useLiveClicks({ projectId, linkId }: { projectId: string; linkId?: string }): LiveState {
  const [feed, setFeed] = useState<LiveFeed | null>(null);
  useEffect(() => {
    const opened = new LiveFeed(projectId, linkId);
    setFeed(opened);
    return () => opened.close();
  }, [projectId, linkId]);
  return useSyncExternalStore(
    feed?.subscribe ?? neverChanges,
    () => feed?.state ?? NOTHING,
    () => NOTHING,
  );
}

const neverChanges = () => () => {};

/** What one list shows of a stream. */
class LiveFeed {
  state: LiveState = NOTHING;
  readonly #listeners = new Set<() => void>();
  readonly #leave: () => void;

  constructor(projectId: string, linkId: string | undefined) {
    this.#leave = LiveStream.join(projectId, {
      onClicks: (clicks) => this.#add(linkId === undefined ? clicks : clicks.filter(({ link }) => link.id === linkId)),
      onSkipped: (count) => this.#set({ skipped: this.state.skipped + count }),
      onOpen: (isOpen) => this.#set({ isOpen }),
    });
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  close(): void {
    this.#leave();
  }

  #add(clicks: readonly LiveClick[]): void {
    if (clicks.length === 0) return;
    this.#set({ clicks: [...clicks.toReversed(), ...this.state.clicks].slice(0, MOST_KEPT) });
  }

  #set(changed: Partial<LiveState>): void {
    this.state = { ...this.state, ...changed };
    for (const listener of this.#listeners) listener();
  }
}
