import type { ServerResponse } from 'node:http';
import { authorizeProject } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { Places } from '../access/shares.ts';
import { config } from '../kernel/config.ts';
import { CodedError } from '../kernel/errors.ts';
import { log } from '../kernel/log.ts';
import { showGauge } from '../kernel/metrics.ts';
import { ClickFeed, type Listener } from './ClickFeed.ts';
import { EventStream } from './EventStream.ts';
import { Feeds } from './ProjectFeed.ts';

interface StreamRequest {
  response: ServerResponse;
  projectId: string;
  /** The last click that the client has received. */
  afterId: string | null;
  /** Reads the session again: it may have ended, or lost its rights. */
  currentPrincipal(): Promise<Principal>;
}

/** Enough for the browser tabs of one person, including some forgotten ones. */
const STREAMS_PER_SESSION = 10;
const POLL_MS = 1000;

/** The live streams of this process, and a feed for each project that they show. */
export class LiveClicks {
  readonly #feeds = new Feeds<Listener, ClickFeed>(
    (projectId) =>
      new ClickFeed(projectId, POLL_MS, (error) =>
        log.warn({ err: error, projectId }, 'could not read live clicks; they will be read again'),
      ),
  );
  /** By stream, the token hash of its session. */
  readonly #streams = new Map<EventStream, string>();
  readonly #places = new Places('clickStreams');
  #isStopping = false;

  constructor() {
    showGauge('svc_live_streams', 'Live streams of clicks that are open.', () => this.#streams.size);
  }

  /**
   * Answers with a stream of the project's clicks, until the principal may no longer read them. Throws `not_found`,
   * `unavailable`, `rate_limited`, and errors of the store.
   */
  async open(
    principal: Extract<Principal, { kind: 'session' }>,
    { response, projectId, afterId, currentPrincipal }: StreamRequest,
  ): Promise<void> {
    const { teamId } = await authorizeProject(principal, 'analytics:read', projectId);
    const session = principal.tokenHash;
    this.#refuseTooMany(session);
    const stream = new EventStream(response);
    this.#places.take(stream, { teamId, personId: principal.userId });
    const feed = this.#feeds.of(projectId);
    let heartbeat: NodeJS.Timeout | undefined;
    const close = () => {
      clearInterval(heartbeat);
      this.#streams.delete(stream);
      this.#places.leave(stream);
      this.#feeds.leave(projectId, stream);
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
    const isAllowed = async () => mayRead(await currentPrincipal(), projectId);
    heartbeat = setInterval(() => void beat(stream, isAllowed), config.liveHeartbeatSeconds * 1000).unref();
  }

  /** Ends all streams. Clients reconnect by themselves. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const stream of this.#streams.keys()) stream.end();
    await this.#feeds.stop();
  }

  #refuseTooMany(session: string): void {
    if (this.#isStopping)
      throw new CodedError('unavailable', 'The service is restarting. Try again later.', { retryAfterSeconds: 5 });
    if ([...this.#streams.values()].filter((other) => other === session).length >= STREAMS_PER_SESSION)
      throw new CodedError('rate_limited', `A session has at most ${STREAMS_PER_SESSION} live streams.`, {
        retryAfterSeconds: 5,
      });
  }
}

async function mayRead(principal: Principal, projectId: string): Promise<boolean> {
  try {
    await authorizeProject(principal, 'analytics:read', projectId);
    return true;
  } catch (error) {
    if (error instanceof CodedError) return false;
    throw error;
  }
}

/** Keeps a stream alive, and ends it once it is no longer allowed. If that cannot be determined, the stream goes on. */
async function beat(stream: EventStream, isAllowed: () => Promise<boolean>): Promise<void> {
  stream.beat();
  try {
    if (!(await isAllowed())) stream.end();
  } catch (error) {
    log.debug({ err: error }, 'could not check whether a live stream may go on');
  }
}
