import { chunksOf } from './chunksOf.ts';
import { EventsApi } from './operations.ts';
import { backOffMs } from './pauseBefore.ts';
import type { SvcAnswer } from './SvcAnswer.ts';
import { SvcConnectionError, SvcError } from './SvcError.ts';
import { type ServerSentEvent, serverSentEvents } from './serverSentEvents.ts';
import { sleep } from './sleep.ts';
import type { Event, EventType } from './types.ts';

export interface StreamOptions {
  /** All types by default. */
  types?: readonly (EventType | (string & Record<never, never>))[] | undefined;
  /** Events of one link. */
  linkId?: string | undefined;
  /** The id of an event (`evt_…`): what came after it comes first. By default what comes from now on. */
  after?: string | undefined;
  signal?: AbortSignal | undefined;
  /** So many events that came while nobody was connected are left out; `svc.events.list` has them. */
  onSkipped?: ((count: number) => void) | undefined;
  /** Connected, the first time or again. */
  onOpen?: (() => void) | undefined;
  /** The connection is lost, and made again after so long. */
  onLost?: ((error: SvcError, pauseSeconds: number) => void) | undefined;
}

/** An event as it was sent: `data` is the text of its envelope, byte for byte. */
export interface EventMessage {
  id: string;
  type: string;
  data: string;
}

const PATH = '/api/v1/events/stream';

/** The server says `: alive` each 15 seconds: after three of them the connection is dead. */
const SILENCE_SECONDS = 45;

const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/** Events come at least once: so many ids are known again. */
const REMEMBERED = 10_000;

export class Events extends EventsApi {
  /**
   * The events of the project as they come, each once. It connects again whenever the connection is lost, from the last event
   * on, and ends with the signal or with the loop. Throws a `SvcError` when the server refuses, such as a revoked key.
   */
  async *stream(options: StreamOptions = {}): AsyncGenerator<Event> {
    for await (const { data } of this.messages(options)) yield JSON.parse(data);
  }

  /** As `stream`, with the text of each event. */
  async *messages(options: StreamOptions = {}): AsyncGenerator<EventMessage> {
    const known = new Set<string>();
    let last = options.after;
    let isFirst = true;
    let failures = 0;
    let shortestMs = SHORTEST_PAUSE_MS;
    while (true) {
      try {
        const answer = await this.#connect(options, last, isFirst);
        isFirst = false;
        options.onOpen?.();
        for await (const message of messagesOf(answer)) {
          failures = 0;
          shortestMs = message.retryMs ?? shortestMs;
          if (message.type === 'skipped') options.onSkipped?.(JSON.parse(message.data).count);
          if (!message.id || message.type === 'skipped') continue;
          last = message.id;
          if (known.has(message.id)) continue;
          remember(known, message.id);
          yield { id: message.id, type: message.type, data: message.data };
        }
        throw new SvcConnectionError('connection_failed', 'The server ended the stream.');
      } catch (error) {
        options.signal?.throwIfAborted();
        failures += 1;
        if (isFirst || !canComeBack(error)) throw error;
        const pauseMs = Math.max(shortestMs, backOffMs(failures) * 2, (error.retryAfterSeconds ?? 0) * 1000);
        const boundedMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, pauseMs));
        options.onLost?.(error, boundedMs / 1000);
        await sleep(boundedMs, options.signal);
      }
    }
  }

  /** The first time with the retries of every request; later ones are the stream's own. */
  #connect({ types, linkId, signal }: StreamOptions, last: string | undefined, isFirst: boolean): Promise<SvcAnswer> {
    return this.http.ask(
      { method: 'GET', path: PATH },
      {
        query: { types: types?.length ? types : undefined, link_id: linkId },
        headers: { Accept: 'text/event-stream', ...(last === undefined ? {} : { 'Last-Event-ID': last }) },
        isStreamed: true,
        signal,
        ...(isFirst ? {} : { retries: 0 }),
      },
    );
  }
}

async function* messagesOf({ stream, mediaType }: SvcAnswer): AsyncGenerator<ServerSentEvent> {
  if (stream && mediaType === 'text/event-stream') yield* serverSentEvents(chunksOf(stream, SILENCE_SECONDS));
  else throw new SvcError('bad_response', `Events were asked for, and ${mediaType || 'nothing'} was answered.`);
}

/** Trouble on the way, and a server that is busy or restarts. A key that is refused stays refused. */
function canComeBack(error: unknown): error is SvcError {
  if (!(error instanceof SvcError)) return false;
  return error instanceof SvcConnectionError || error.status === 429 || error.status === 408 || error.status >= 500;
}

/** The oldest is the first that a Set gives. */
function remember(known: Set<string>, id: string): void {
  known.add(id);
  if (known.size > REMEMBERED) known.delete(known.values().next().value as string);
}
