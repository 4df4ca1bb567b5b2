import type { Socket } from 'node:net';
import { Client } from 'undici';
import { type ConnectOptions, openSocket } from './connect.ts';

/** How long an idle connection is kept when the receiver names no time, and the longest that it may name. */
const KEEP_ALIVE_MS = 4000;
const KEEP_ALIVE_MAX_MS = 30_000;

/** What stands for every connection, read anew for each. */
export type Vetting = () => Omit<ConnectOptions, 'signal'>;

/** An undici client of one connection, for one request at a time. */
export class Connection {
  readonly client: Client;
  readonly origin: string;
  #signal: AbortSignal;
  #socket: Socket | null = null;
  /** The socket that an earlier request left, and the bytes that it had received by then. */
  #inherited: { socket: Socket; bytesRead: number } | null = null;

  constructor(origin: string, vetting: Vetting, deadline: AbortSignal) {
    this.origin = origin;
    this.#signal = deadline;
    this.client = new Client(origin, {
      connect: ({ protocol, hostname, port }, callback) => {
        const target = { protocol, hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
        openSocket(target, { ...vetting(), signal: this.#signal }).then(
          (socket) => {
            this.#socket = socket;
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
  }

  get isOpen(): boolean {
    return this.#socket !== null && !this.#socket.destroyed;
  }

  /** Makes the connection the next request's; its deadline also ends a connecting that turns out to be needed. */
  takeOver(deadline: AbortSignal): void {
    this.#signal = deadline;
    this.#inherited = this.#socket && { socket: this.#socket, bytesRead: this.#socket.bytesRead };
  }

  /** Whether the request met a connection of earlier ones and not a byte came back on it: the receiver had hung up. */
  get wasStale(): boolean {
    const inherited = this.#inherited;
    return (
      inherited !== null && inherited.socket === this.#socket && inherited.socket.bytesRead === inherited.bytesRead
    );
  }
}
