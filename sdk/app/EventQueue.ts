import type { Store } from './Store.ts';
import { SvcError } from './SvcError.ts';

const KEY = 'queue';
/** Android reads no more than 2 MB of a value from AsyncStorage, and browsers keep 5 MB of a site. */
const MAX_LENGTH = 1_000_000;

/**
 * Events that are not accepted yet, the oldest first, each as a line of JSON; what makes them different is their ids.
 * Other clients may use the same storage: it is read, merged and written again, one client at a time, and what this
 * client put in stays in its memory until it is accepted. So nothing gets lost; at worst it is sent twice.
 */
export class EventQueue {
  /** Of this client. */
  mine: string[] = [];
  /** Accepted or dropped, but perhaps still in the storage, which may keep what it was told to remove. */
  private gone = new Set<string>();
  private next: Promise<string[]> | undefined;

  constructor(
    private readonly store: Store,
    private readonly maxCount: number,
    private readonly tell: (error: SvcError) => void,
  ) {}

  async add(line: string): Promise<void> {
    this.mine.push(line);
    await this.all();
  }

  async remove(lines: readonly string[]): Promise<void> {
    this.leaveOut(lines);
    await this.all();
  }

  async clear(): Promise<void> {
    this.leaveOut(await this.all());
    await this.all();
  }

  /** All events in the storage and of this client, which are then the same where it can be written. */
  all(): Promise<string[]> {
    // Who asks while the next turn is awaited shares it.
    this.next =
      this.next ||
      this.store.exclusive(KEY, () => {
        this.next = undefined;
        return this.merge();
      });
    return this.next;
  }

  /** Without waiting for others: there may be no later. */
  async merge(): Promise<string[]> {
    const text = await this.store.read(KEY);
    const stored = linesOf(text);
    const kept = this.bounded([...new Set([...stored, ...this.mine])].filter((line) => !this.gone.has(line)));
    // What could not be read may still be there, and is not overwritten.
    if (text === undefined) return kept;
    this.gone = new Set(stored.filter((line) => this.gone.has(line)));
    const merged = kept.join('\n');
    if (merged !== (text || '')) await this.store.write(KEY, merged || null);
    return kept;
  }

  private bounded(lines: string[]): string[] {
    let length = 0;
    let first = lines.length;
    while (first > 0 && lines.length - first < this.maxCount) {
      length += (lines[first - 1] as string).length;
      if (length > MAX_LENGTH) break;
      first -= 1;
    }
    if (first > 0) {
      this.leaveOut(lines.slice(0, first));
      this.tell(new SvcError('queue_full', `The queue is full: the oldest ${first} events were dropped.`));
    }
    return lines.slice(first);
  }

  private leaveOut(lines: readonly string[]): void {
    for (const line of lines) this.gone.add(line);
    this.mine = this.mine.filter((line) => !this.gone.has(line));
  }
}

/** Lines that are no JSON were not written by us. */
function linesOf(text: string | null | undefined): string[] {
  return (text || '').split('\n').filter((line) => {
    try {
      return JSON.parse(line)?.id;
    } catch {
      return false;
    }
  });
}
