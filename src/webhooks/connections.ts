import { Connection, type Vetting } from './connection.ts';

/**
 * Keeps connections open between requests. With undici's own Agent a request's deadline would not reach the connecting,
 * and nobody could tell whether a request met a new connection or one that the receiver was about to close.
 */
export class Connections {
  readonly #vetting: Vetting;
  readonly #idle = new Map<string, Connection[]>();

  constructor(vetting: Vetting) {
    this.#vetting = vetting;
  }

  /** An idle connection to the origin, else a new one. It belongs to the caller until `giveBack`. */
  take(origin: string, deadline: AbortSignal): Connection {
    const connection = this.#idle.get(origin)?.at(-1);
    if (!connection) return this.open(origin, deadline);
    this.#removeIdle(connection);
    connection.takeOver(deadline);
    return connection;
  }

  /** A new connection; it connects with its first request. */
  open(origin: string, deadline: AbortSignal): Connection {
    const connection = new Connection(origin, this.#vetting, deadline);
    connection.client.on('disconnect', () => {
      if (this.#removeIdle(connection)) void connection.client.destroy();
    });
    return connection;
  }

  /** Keeps the connection for the next request, or ends it when it is closed already. */
  giveBack(connection: Connection): void {
    if (!connection.isOpen) void connection.client.destroy();
    else this.#idle.set(connection.origin, [...(this.#idle.get(connection.origin) ?? []), connection]);
  }

  /** Ends every idle connection. */
  async close(): Promise<void> {
    const connections = [...this.#idle.values()].flat();
    this.#idle.clear();
    await Promise.all(connections.map(({ client }) => client.destroy()));
  }

  #removeIdle(connection: Connection): boolean {
    const idle = this.#idle.get(connection.origin) ?? [];
    const others = idle.filter((other) => other !== connection);
    if (others.length > 0) this.#idle.set(connection.origin, others);
    else this.#idle.delete(connection.origin);
    return others.length < idle.length;
  }
}
