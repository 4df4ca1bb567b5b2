import { callApp } from './callApp.ts';
import type { SvcError } from './SvcError.ts';
import type { LinkListener, OpenResult } from './types.ts';

/** Who hears of links, and the link that was found while nobody did. */
export class LinkListeners {
  private readonly listeners = new Set<LinkListener>();
  private unheard: OpenResult | undefined;

  constructor(private readonly tell: (error: SvcError) => void) {}

  /** Gives how to stop it. */
  add(listener: LinkListener): () => void {
    this.listeners.add(listener);
    const unheard = this.takeUnheard();
    if (unheard) void Promise.resolve().then(() => this.say(unheard));
    return () => {
      this.listeners.delete(listener);
    };
  }

  say(open: OpenResult): void {
    const { link } = open;
    if (!link) return;
    for (const listener of this.listeners) void callApp(() => listener(link, open), this.tell);
  }

  /** Nobody awaits this answer: what no listener has heard of waits for the first one. */
  keep(open: OpenResult): void {
    if (open.link && this.listeners.size === 0) this.unheard = open;
  }

  takeUnheard(): OpenResult | undefined {
    const { unheard } = this;
    this.unheard = undefined;
    return unheard;
  }
}
