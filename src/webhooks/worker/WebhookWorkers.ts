import type { Sender } from '../send.ts';
import { Lane } from './Lane.ts';
import { Slots } from './Slots.ts';

/** The lanes that this process has, at most one for a webhook. */
export class Lanes {
  readonly #sender: Sender;
  readonly #slots: Slots;
  readonly #running = new Map<string, { lane: Lane; ended: Promise<Date | null> }>();

  constructor(sender: Sender, maxInFlight: number) {
    this.#sender = sender;
    this.#slots = new Slots(maxInFlight);
  }

  /** Requests under way. */
  get inFlight(): number {
    return this.#slots.inUse;
  }

  get size(): number {
    return this.#running.size;
  }

  /** Sends what is due for the webhook; gives when there will be something next, null for never. */
  run(webhookId: string): Promise<Date | null> {
    const running = this.#running.get(webhookId);
    if (running) {
      running.lane.wake();
      return running.ended;
    }
    const lane = new Lane(webhookId, this.#sender, this.#slots);
    const ended = lane.run().finally(() => this.#running.delete(webhookId));
    this.#running.set(webhookId, { lane, ended });
    return ended;
  }

  /** There is something new for the webhook. Gives whether its lane is here. */
  wake(webhookId: string): boolean {
    const running = this.#running.get(webhookId);
    running?.lane.wake();
    return running !== undefined;
  }

  /** The webhook was changed. Gives whether its lane is here. */
  refresh(webhookId: string): boolean {
    const running = this.#running.get(webhookId);
    running?.lane.refresh();
    return running !== undefined;
  }

  /** Announcements may have been missed: every lane looks anew. */
  refreshAll(): void {
    for (const { lane } of this.#running.values()) lane.refresh();
  }

  /** Claims nothing more, and waits for what is in flight. */
  async stop(): Promise<void> {
    const all = [...this.#running.values()];
    for (const { lane } of all) lane.stop();
    await Promise.allSettled(all.map(({ ended }) => ended));
  }
}
