import type { Sender } from '../send.ts';
import { Slots } from './Slots.ts';
import { WebhookWorker } from './WebhookWorker.ts';

/** The webhook workers of this process, at most one for each webhook. */
export class WebhookWorkers {
  readonly #sender: Sender;
  readonly #slots: Slots;
  readonly #running = new Map<string, { worker: WebhookWorker; ended: Promise<Date | null> }>();

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

  /** Sends what is due for the webhook. Returns when something will be due next; null: never, as far as is known. */
  run(webhookId: string): Promise<Date | null> {
    const running = this.#running.get(webhookId);
    if (running) {
      running.worker.wake();
      return running.ended;
    }
    const worker = new WebhookWorker(webhookId, this.#sender, this.#slots);
    const ended = worker.run().finally(() => this.#running.delete(webhookId));
    this.#running.set(webhookId, { worker, ended });
    return ended;
  }

  /** There is something new for the webhook. Returns whether this process has its worker. */
  wake(webhookId: string): boolean {
    const running = this.#running.get(webhookId);
    running?.worker.wake();
    return running !== undefined;
  }

  /** The webhook was changed. Returns whether this process has its worker. */
  reload(webhookId: string): boolean {
    const running = this.#running.get(webhookId);
    running?.worker.reload();
    return running !== undefined;
  }

  /** Announcements may have been missed: every worker reads its webhook again. */
  reloadAll(): void {
    for (const { worker } of this.#running.values()) worker.reload();
  }

  /** Claims nothing more, and waits for what is in flight. */
  async stop(): Promise<void> {
    const all = [...this.#running.values()];
    for (const { worker } of all) worker.stop();
    await Promise.allSettled(all.map(({ ended }) => ended));
  }
}
