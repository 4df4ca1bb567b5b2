import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { listOf, timeOf } from '../flagValues.ts';
import { resolveLink } from '../links.ts';
import type { StreamedEvent } from './Forwarder.ts';
import { eventIdAt } from './localId.ts';

/** Which events are followed, as it was typed. */
export interface FollowFlags {
  types?: string[];
  link?: string;
  since?: string;
}

/** The flags of every command that follows events. */
export const FOLLOW_OPTIONS: [flags: string, summary: string, more?: object][] = [
  ['--link <link>', 'only events of this link'],
  ['--since <time>', 'begin with what came since: 10m, 2h, a time; at most the last 1,000 events'],
];
export const LIST = { parse: listOf };

/** What happened to the stream until now. */
export class Following {
  received = 0;
  missed = 0;
  /** It was connected at least once. */
  hasBegun = false;
  readonly #context: Context;
  readonly #flags: FollowFlags;

  constructor(context: Context, flags: FollowFlags) {
    this.#context = context;
    this.#flags = flags;
  }

  /**
   * The events as they come, each once, until Ctrl-C. It connects again by itself and tells so; `onOpen` is called the first time.
   * Throws when the server refuses.
   */
  async *events(onOpen: () => void = () => {}): AsyncGenerator<StreamedEvent> {
    const { output, signal } = this.#context;
    const { link, since, types } = this.#flags;
    const linkId = link === undefined ? undefined : await resolveLink(this.#context, link);
    const after = since === undefined ? undefined : eventIdAt(momentOf(since));
    const client = await this.#context.client();
    const messages = client.events.messages({
      ...(types?.length ? { types } : {}),
      ...(linkId === undefined ? {} : { linkId }),
      ...(after === undefined ? {} : { after }),
      signal,
      onOpen: () => {
        if (!this.hasBegun) onOpen();
        else output.note('Connected again.');
        this.hasBegun = true;
      },
      onLost: ({ message }, seconds) => {
        output.problem(`The connection is lost: ${message} Trying again in ${Math.ceil(seconds)} s.`);
      },
      onSkipped: (count: number, from?: string) => this.#tellMissed(count, from),
    });
    try {
      for await (const message of messages) {
        this.received += 1;
        yield message;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #tellMissed(count: number, from?: string): void {
    this.missed += count;
    const how = from ? `after ${from}: svc api '/events/stream?after=${from}' has them` : 'svc events list has them';
    this.#context.output.problem(`Missed ${count} event${count === 1 ? '' : 's'} ${how}.`);
  }
}

/** `HH:MM:SS` of this machine. */
export function clockTime(at = new Date()): string {
  return at.toTimeString().slice(0, 8);
}

function momentOf(text: string): number {
  const moment = Date.parse(timeOf(text, { isPast: true }));
  if (Number.isNaN(moment)) throw usageError(`--since takes 10m, 2h, 3d or a time, and "${text}" is none.`);
  return moment;
}
