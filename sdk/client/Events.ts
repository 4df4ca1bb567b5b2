import { chunksOf } from './chunksOf.ts';
import { EventsApi } from './operations.ts';
import type { SvcAnswer } from './SvcAnswer.ts';
import { SvcConnectionError, SvcError } from './SvcError.ts';
import { serverSentEvents } from './serverSentEvents.ts';
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
  /** So many events that came while nobody was connected are left out; a stream `after` that event has them. */
  onSkipped?: ((count: number, after: string) => void) | undefined;
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
    const { signal } = options;
    const known = new Set<string>();
    let last = options.after;
    let isFirst = true;
    let failures = 0;
    let shortestMs = SHORTEST_PAUSE_MS;
    const onRetry = (milliseconds: number) => {
      shortestMs = milliseconds;
    };
    while (true) {
      const begunAt = performance.now();
      try {
        const answer = await this.#connect(options, last, isFirst);
        isFirst = false;
        options.onOpen?.();
        for await (const message of serverSentEvents(chunksOf(streamOf(answer), SILENCE_SECONDS, signal), onRetry)) {
          if (message.type === 'skipped') tellSkipped(options, message.data);
          else if (message.id && !known.has(message.id)) {
            failures = 0;
            last = message.id;
            remember(known, message.id);
            yield message;
          }
        }
        throw new SvcConnectionError('connection_failed', 'The server ended the stream.');
      } catch (error) {
        signal?.throwIfAborted();
        if (isFirst || !canComeBack(error)) throw error;
        failures = performance.now() - begunAt > LONGEST_PAUSE_MS ? 1 : failures + 1;
        const pauseMs = pauseOf(error, failures, shortestMs);
        options.onLost?.(error, pauseMs / 1000);
        await sleep(pauseMs, signal);
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

function streamOf({ stream, mediaType }: SvcAnswer): ReadableStream<Uint8Array> {
  if (stream && mediaType === 'text/event-stream') return stream;
  throw new SvcError('bad_response', `Events were asked for, and ${mediaType || 'nothing'} was answered.`);
}

/** From a second, or what the server asks for, doubled each time to half a minute. */
function pauseOf({ retryAfterSeconds }: SvcError, failures: number, shortestMs: number): number {
  const pauseMs = Math.max(shortestMs, 1000 * (retryAfterSeconds ?? 0), 1000 * 2 ** (failures - 1));
  return Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, pauseMs));
}

function tellSkipped({ onSkipped }: StreamOptions, data: string): void {
  const { count, after } = JSON.parse(data);
  onSkipped?.(count, after);
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
