import type { RecordEvents, RecordedEvents } from './api.ts';
import type { EventQueue } from './EventQueue.ts';
import type { Install } from './Install.ts';
import type { Opens } from './Opens.ts';
import type { Pace } from './Pace.ts';
import type { Store } from './Store.ts';
import { SvcError } from './SvcError.ts';
import { takeBatch } from './takeBatch.ts';
import type { Post } from './transport.ts';

/** The server's, per request (api.md §6). */
const MAX_EVENTS = 100;
/** A little below the server's largest body, which is also what browsers let go on while a page is left. */
export const MAX_BYTES = 60 * 1024;

interface Parts {
  post: Post;
  store: Store;
  install: Install;
  queue: EventQueue;
  opens: Opens;
  pace: Pace;
  tell: (error: SvcError) => void;
}

/** Sends the queue, the oldest events first, and a first opening that waits ahead of them: they carry its link. */
export class Sender {
  private leaving: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  constructor(private readonly parts: Parts) {}

  flush(): Promise<void> {
    const { store, pace } = this.parts;
    // Who asks while the next turn is awaited shares it.
    this.next =
      this.next ||
      store.exclusive('send', async () => {
        this.next = undefined;
        if (pace.begin()) await this.drain();
      });
    return this.next;
  }

  /** The page may go away at any moment: what this client knows of goes out at once. */
  async leave(): Promise<void> {
    const { queue, pace } = this.parts;
    const batch = takeBatch(queue.mine, MAX_EVENTS, MAX_BYTES);
    if (this.leaving || batch.length === 0) return;
    this.leaving = this.sendLast(batch);
    await this.leaving;
    this.leaving = undefined;
    // It may have stayed, with more to send.
    pace.soon();
  }

  private async sendLast(batch: string[]): Promise<void> {
    const { queue, pace } = this.parts;
    const written = queue.merge();
    if (pace.begin()) await this.send(batch, true);
    await written;
  }

  private async drain(): Promise<void> {
    const { queue, opens, pace } = this.parts;
    await this.leaving;
    if (!(await opens.settle())) return;
    let maxCount = MAX_EVENTS;
    while (!pace.stopped) {
      const batch = takeBatch(await queue.all(), maxCount, MAX_BYTES);
      if (batch.length === 0) return;
      const error = await this.send(batch);
      if (!error) maxCount = MAX_EVENTS;
      else if (batch.length > 1 && isTooMuch(error)) maxCount = Math.ceil(batch.length / 2);
      else return;
    }
  }

  /** Gives why it failed; nothing if the batch was accepted, or lost those events that were refused. */
  private async send(batch: string[], isLast?: boolean): Promise<SvcError | undefined> {
    const { post, install, queue, pace } = this.parts;
    try {
      await post<RecordedEvents>('/event', bodyOf(await install.id(), batch), 'accepted', isLast);
      pace.succeeded();
      await queue.remove(batch);
      return undefined;
    } catch (thrown) {
      const error = thrown as SvcError;
      const refused = refusedOf(batch, error);
      if (refused.length > 0) return this.drop(refused, error);
      if (!isTooMuch(error)) pace.failed(error);
      return error;
    }
  }

  private async drop(lines: string[], error: SvcError): Promise<undefined> {
    const { queue, tell } = this.parts;
    for (const line of lines) tell(new SvcError(error.code, error.message, { ...error, event: JSON.parse(line) }));
    await queue.remove(lines);
  }
}

/** The lines are JSON already. */
function bodyOf(installId: RecordEvents['install_id'], lines: string[]): string {
  return `{"install_id":"${installId}","events":[${lines.join()}]}`;
}

/** The events that the server names, or the one that it does not like. */
function refusedOf(batch: string[], error: SvcError): string[] {
  const named = new Set(error.fields.map(({ path }) => Number(/^events\.(\d+)/.exec(path)?.[1] ?? -1)));
  const refused = batch.filter((_, at) => named.has(at));
  return refused.length === 0 && batch.length === 1 && isTooMuch(error) ? batch : refused;
}

/** Nothing of it will ever be taken as it is, and it is not said which events are at fault: fewer may do. */
function isTooMuch({ status, code }: SvcError): boolean {
  return status === 413 || code === 'validation_failed';
}
