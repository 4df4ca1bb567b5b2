import type { Socket } from 'node:net';
import { Client } from 'undici';
import { type ConnectOptions, openSocket } from '../net/connect.ts';
import { type Answer, AnswerReader, InterimAnswers } from './answer.ts';

/** One webhook uses at most ten connections at once, but many webhooks share the host of an automation service. */
const MAX_IDLE_PER_ORIGIN = 100;
const MAX_IDLE = 500;

/**
 * Keeps connections open between requests. In undici's own Agent the deadline of a request does not cover connecting, and a
 * caller cannot tell a new connection from a reused one that the receiver was about to close.
 */
export class ConnectionPool {
  readonly #vetting: Vetting;
  /** The connection that has been idle for longest comes first. */
  readonly #idle = new Set<Connection>();
  readonly #idleByOrigin = new Map<string, Connection[]>();

  constructor(vetting: Vetting) {
    this.#vetting = vetting;
  }

  /** Returns an idle connection to the origin, or a new one. The caller owns it until `giveBack`. */
  take(origin: string, deadline: AbortSignal): Connection {
    const connection = this.#idleByOrigin.get(origin)?.at(-1);
    if (!connection) return this.open(origin, deadline);
    this.#removeIdle(connection);
    connection.takeOver(deadline);
    return connection;
  }

  /** Returns a new connection, which connects with its first request. */
  open(origin: string, deadline: AbortSignal): Connection {
    return new Connection(origin, this.#vetting, deadline, (ended) => {
      if (this.#removeIdle(ended)) void ended.end();
    });
  }

  /** Keeps the connection for the next request, or ends it when it is not reusable or enough others are idle. */
  giveBack(connection: Connection): void {
    const others = this.#idleByOrigin.get(connection.origin) ?? [];
    if (!connection.isReusable || others.length >= MAX_IDLE_PER_ORIGIN) {
      void connection.end();
      return;
    }
    this.#idle.add(connection);
    if (others.push(connection) === 1) this.#idleByOrigin.set(connection.origin, others);
    if (this.#idle.size > MAX_IDLE) this.#endOldest();
  }

  /** Ends every idle connection. */
  async close(): Promise<void> {
    const connections = [...this.#idle];
    this.#idle.clear();
    this.#idleByOrigin.clear();
    await Promise.all(connections.map((connection) => connection.end()));
  }

  #endOldest(): void {
    const [oldest] = this.#idle;
    if (oldest && this.#removeIdle(oldest)) void oldest.end();
  }

  #removeIdle(connection: Connection): boolean {
    if (!this.#idle.delete(connection)) return false;
    const others = this.#idleByOrigin.get(connection.origin) ?? [];
    others.splice(others.lastIndexOf(connection), 1);
    if (others.length === 0) this.#idleByOrigin.delete(connection.origin);
    return true;
  }
}

/** How long an idle connection is kept: by default, and at most when the receiver sends a Keep-Alive header. */
const KEEP_ALIVE_MS = 4000;
const KEEP_ALIVE_MAX_MS = 30_000;

/**
 * Limit of the raw bytes of one answer: interim answers, chunk sizes and chunk extensions have no limit of their own. The
 * longest body that is read needs less than half of this, even in chunks of one byte.
 */
const MAX_RAW_BYTES = 1024 * 1024;

/** The options of a connection, evaluated for each new one. */
type Vetting = () => Omit<ConnectOptions, 'signal'>;

export interface OutgoingRequest {
  /** Includes the query. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** An undici client with one connection, for one request at a time. */
class Connection {
  readonly origin: string;
  readonly #client: Client;
  #deadline: AbortSignal;
  #socket: Socket | null = null;
  /** The socket of the previous request, and the bytes received on it before the current one. */
  #inherited: Socket | null = null;
  #bytesBefore = 0;
  readonly #interim = new InterimAnswers();

  /** `onDisconnect` is called whenever the connection ends. */
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
      // The deadline covers the whole request; these timeouts would restart with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#client.on('disconnect', () => onDisconnect(this));
    this.#endAt(deadline);
  }

  /** False when the receiver answered before reading the whole request: the next one would queue behind the rest. */
  get isReusable(): boolean {
    return this.#socket !== null && !this.#socket.destroyed && this.#socket.writableLength === 0;
  }

  /** Whether the request used an existing connection and received nothing: the receiver had already closed it. */
  get wasStale(): boolean {
    return this.#inherited !== null && this.#inherited === this.#socket && this.#bytesReceived === 0;
  }

  /** Prepares the connection for the next request, whose deadline also covers a reconnect. */
  takeOver(deadline: AbortSignal): void {
    this.#deadline = deadline;
    this.#inherited = this.#socket;
    this.#bytesBefore = this.#socket?.bytesRead ?? 0;
    this.#interim.restart();
    this.#endAt(deadline);
  }

  /** Sends one request and connects first if necessary. Rejects when no answer came. */
  post(request: OutgoingRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#client.dispatch({ ...request, method: 'POST' }, new AnswerReader(resolve, reject));
    });
  }

  /** Ends the connection at once; a request in flight fails with `reason`. */
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
    // Every chunk passes here once before undici reads it; null is the end of the stream.
    const push = socket.push.bind(socket);
    socket.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
      if (this.#bytesReceived > MAX_RAW_BYTES) void this.end(new Error('The answer is too long'));
      return push(chunk === null ? null : this.#interim.take(chunk), encoding);
    };
  }
}
