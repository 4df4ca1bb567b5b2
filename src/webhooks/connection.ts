import type { Socket } from 'node:net';
import { Client } from 'undici';
import { type ConnectOptions, openSocket } from '../net/connect.ts';
import { type Answer, AnswerReader } from './answer.ts';
import { InterimAnswers } from './InterimAnswers.ts';

/** How long an idle connection is kept when the receiver names no time, and the longest that it may name. */
const KEEP_ALIVE_MS = 4000;
const KEEP_ALIVE_MAX_MS = 30_000;

/**
 * Bytes of one answer as they come, whatever they are: interim answers, chunk sizes and their extensions have no bound of
 * their own. The longest body that is read, in chunks of one byte, takes less than half of it.
 */
const MAX_RAW_BYTES = 1024 * 1024;

/** What stands for every connection, read anew for each. */
export type Vetting = () => Omit<ConnectOptions, 'signal'>;

export interface OutgoingRequest {
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** An undici client of one connection, for one request at a time. */
export class Connection {
  readonly origin: string;
  readonly #client: Client;
  #deadline: AbortSignal;
  #socket: Socket | null = null;
  /** The socket that an earlier request left, and what had been received on the socket before this request. */
  #inherited: Socket | null = null;
  #bytesBefore = 0;
  readonly #interim = new InterimAnswers();

  /** `onDisconnect` is told whenever the connection ends. */
  constructor(origin: string, vetting: Vetting, deadline: AbortSignal, onDisconnect: (self: Connection) => void) {
    this.origin = origin;
    this.#deadline = deadline;
    this.#client = new Client(origin, {
      connect: ({ protocol, hostname, port }, callback) => {
        const target = { protocol, hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
        openSocket(target, { ...vetting(), signal: this.#deadline }).then(
          (socket) => {
            this.#use(socket);
            callback(null, socket);
          },
          (error) => callback(error, null),
        );
      },
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
      // The deadline stands over the whole request; limits on its parts would only restart with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#client.on('disconnect', () => onDisconnect(this));
    this.#endAt(deadline);
  }

  /** Not when the receiver answered without taking the whole request: the next one would wait behind the rest of it. */
  get isReusable(): boolean {
    return this.#socket !== null && !this.#socket.destroyed && this.#socket.writableLength === 0;
  }

  /** Whether the request met a connection of earlier ones and not a byte came back on it: the receiver had hung up. */
  get wasStale(): boolean {
    return this.#inherited !== null && this.#inherited === this.#socket && this.#bytesReceived === 0;
  }

  /** Makes the connection the next request's; its deadline also ends a connecting that turns out to be needed. */
  takeOver(deadline: AbortSignal): void {
    this.#deadline = deadline;
    this.#inherited = this.#socket;
    this.#bytesBefore = this.#socket?.bytesRead ?? 0;
    this.#interim.restart();
    this.#endAt(deadline);
  }

  /** Sends one request, connecting first where need be. Rejects when no answer came, with the error of whoever met it. */
  post(request: OutgoingRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#client.dispatch({ ...request, method: 'POST' }, new AnswerReader(resolve, reject));
    });
  }

  /** Ends the connection at once; a request under way fails with `reason`. */
  end(reason: Error | null = null): Promise<void> {
    return this.#client.destroy(reason);
  }

  get #bytesReceived(): number {
    return this.#socket === null ? 0 : this.#socket.bytesRead - this.#bytesBefore;
  }

  #endAt(deadline: AbortSignal): void {
    deadline.addEventListener('abort', () => void this.end(deadline.reason), { once: true });
  }

  #use(socket: Socket): void {
    this.#socket = socket;
    this.#bytesBefore = 0;
    this.#interim.restart();
    // Here each chunk passes once, before undici reads it; null is the end.
    const push = socket.push.bind(socket);
    socket.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
      if (this.#bytesReceived > MAX_RAW_BYTES) void this.end(new Error('An answer without end'));
      return push(chunk === null ? null : this.#interim.take(chunk), encoding);
    };
  }
}
