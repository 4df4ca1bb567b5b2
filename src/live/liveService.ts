import type { ServerResponse } from 'node:http';
import { config } from '../kernel/config.ts';
import { CodedError } from '../kernel/errors.ts';
import { log } from '../kernel/log.ts';
import { showGauge } from '../kernel/metrics.ts';
import { ClickFeed } from './ClickFeed.ts';
import { EventStream } from './EventStream.ts';

interface Wanted {
  response: ServerResponse;
  projectId: string;
  /** Whatever stands for the session: each may have a few streams. */
  session: string;
  /** The last click that the reader has seen. */
  afterId: string | null;
  /** Asked again and again. When it throws nobody knows, and the stream goes on. */
  isAllowed(): Promise<boolean>;
}

/** Browser tabs of one person, and some that they forgot. */
const STREAMS_OF_A_SESSION = 10;
const LOOK_MS = 1000;

/** The live streams of this process, and the projects that they are about. */
export class LiveClicks {
  readonly #feeds = new Map<string, ClickFeed>();
  /** Each with its session. */
  readonly #streams = new Map<EventStream, string>();
  #isStopping = false;

  constructor() {
    showGauge('svc_live_streams', 'Live streams of clicks that are open.', () => this.#streams.size);
  }

  /** Answers with the clicks of the project as they come. Throws `unavailable`, `rate_limited`, and what the store says. */
  async open({ response, projectId, session, afterId, isAllowed }: Wanted): Promise<void> {
    this.#refuseTooMany(session);
    const stream = new EventStream(response);
    const feed = this.#feedOf(projectId);
    let attending: NodeJS.Timeout | undefined;
    const close = () => {
      clearInterval(attending);
      this.#streams.delete(stream);
      if (!feed.leave(stream)) this.#feeds.delete(projectId);
    };
    this.#streams.set(stream, session);
    response.once('close', close);
    try {
      await feed.join(stream, afterId);
    } catch (error) {
      response.off('close', close);
      close();
      throw error;
    }
    if (response.destroyed) return close();
    stream.begin();
    if (this.#isStopping) return stream.end();
    attending = setInterval(() => void attend(stream, isAllowed), config.liveBeatSeconds * 1000).unref();
  }

  /** Ends all streams; readers come back to whoever answers then. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const stream of this.#streams.keys()) stream.end();
    await Promise.all([...this.#feeds.values()].map((feed) => feed.stop()));
  }

  #refuseTooMany(session: string): void {
    const sessions = [...this.#streams.values()];
    if (this.#isStopping || sessions.length >= config.liveConnections)
      throw new CodedError('unavailable', 'There are too many live streams. Try again later.', {
        retryAfterSeconds: 5,
      });
    if (sessions.filter((other) => other === session).length >= STREAMS_OF_A_SESSION)
      throw new CodedError('rate_limited', `A session has at most ${STREAMS_OF_A_SESSION} live streams.`, {
        retryAfterSeconds: 5,
      });
  }

  #feedOf(projectId: string): ClickFeed {
    const known = this.#feeds.get(projectId);
    if (known) return known;
    const feed = new ClickFeed(projectId, LOOK_MS, (error) =>
      log.warn({ err: error, projectId }, 'live clicks could not be read; it is tried again'),
    );
    this.#feeds.set(projectId, feed);
    return feed;
  }
}

async function attend(stream: EventStream, isAllowed: () => Promise<boolean>): Promise<void> {
  stream.beat();
  try {
    if (!(await isAllowed())) stream.end();
  } catch (error) {
    log.debug({ err: error }, 'it is unknown whether a live stream may go on');
  }
}
