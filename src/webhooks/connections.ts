import { Connection, type Vetting } from './connection.ts';

/** Ten are in use at once for one webhook, but many webhooks share the host of an automation service. */
const MAX_IDLE_PER_ORIGIN = 100;
const MAX_IDLE = 500;

/**
 * Keeps connections open between requests. With undici's own Agent a request's deadline would not reach the connecting,
 * and nobody could tell whether a request met a new connection or one that the receiver was about to close.
 */
export class Connections {
  readonly #vetting: Vetting;
  /** In the order in which they came to rest. */
  readonly #idle = new Set<Connection>();
  readonly #idleByOrigin = new Map<string, Connection[]>();

  constructor(vetting: Vetting) {
    this.#vetting = vetting;
  }

  /** An idle connection to the origin, else a new one. It belongs to the caller until `giveBack`. */
  take(origin: string, deadline: AbortSignal): Connection {
    const connection = this.#idleByOrigin.get(origin)?.at(-1);
    if (!connection) return this.open(origin, deadline);
    this.#removeIdle(connection);
    connection.takeOver(deadline);
    return connection;
  }

  /** A new connection; it connects with its first request. */
  open(origin: string, deadline: AbortSignal): Connection {
    return new Connection(origin, this.#vetting, deadline, (ended) => {
      if (this.#removeIdle(ended)) void ended.end();
    });
  }

  /** Keeps the connection for the next request, or ends it when it is of no use or enough others are idle. */
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
