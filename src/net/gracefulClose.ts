import type { Server, ServerResponse } from 'node:http';
import { Server as PlainServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Stops a server without cutting off requests. */
export interface GracefulClose {
  /** From now on every response says `Connection: close`; requests are still answered. */
  announce(): void;
  /**
   * Fulfilled when Node has accepted the connections that the kernel has established: closing the listener would reset them.
   * Node accepts one in each turn of its event loop. As long as answers are held back, the same clients make no new ones.
   */
  acceptWaiting(): Promise<void>;
  /**
   * Accepts no new connections, lets running requests finish and closes idle connections. Idle connections stay open for
   * `lingerMs`, so that requests already on their way are still answered. Can be called twice.
   */
  end(lingerMs?: number): Promise<void>;
}

/** Interval of the search for idle connections. */
const IDLE_CHECK_MS = 50;
/** How long connections are accepted before the listener closes, if there are always more. */
const ACCEPT_MS = 1000;
/** Default for servers inside the network, which get few requests. */
const PATIENCE_MS = 1000;

/**
 * Prepares the graceful close of a server; call it before the server listens. `patienceMs`: how long the close waits for
 * clients that are still sending a request or reading a response.
 */
export function gracefulClose(server: Server, patienceMs = PATIENCE_MS): GracefulClose {
  const connections = trackConnections(server);
  const active = trackActive(server);

  let isAnnounced = false;
  const announce = () => {
    if (isAnnounced) return;
    isAnnounced = true;
    server.prependListener('request', (_, response) => closeAfter(response));
    for (const response of active) closeAfter(response);
  };
  // Includes connections with an incomplete request head, which Node counts as busy until headersTimeout.
  const cutIdle = () => {
    const busy = new Set([...active].map(({ req }) => req.socket));
    for (const socket of connections) if (!busy.has(socket)) socket.destroy();
  };
  /** Sockets found waiting for their client; they are cut if the next check finds them waiting again. */
  let slow = new Set<Socket>();
  const cutSlow = () => {
    const ours = new Set([...active].filter((response) => !waitsForClient(response)).map(({ req }) => req.socket));
    for (const socket of slow) if (!ours.has(socket)) socket.destroy();
    slow = new Set([...connections].filter((socket) => !ours.has(socket)));
  };
  const end = async (lingerMs: number) => {
    announce();
    // Not http's own `close`, which cuts idle connections at once, even if they hold requests not read yet.
    const closed = new Promise<void>((resolve) => PlainServer.prototype.close.call(server, () => resolve()));
    const stops = [repeat(cutIdle, lingerMs, IDLE_CHECK_MS), repeat(cutSlow, patienceMs, patienceMs / 10)];
    await closed;
    for (const stop of stops) stop();
    server.close();
  };
  let ended: Promise<void> | undefined;
  return {
    announce,
    async acceptWaiting() {
      let accepted = 0;
      const count = () => {
        accepted += 1;
      };
      server.on('connection', count);
      const endsAt = performance.now() + ACCEPT_MS;
      let before: number;
      do {
        before = accepted;
        await nextTurn();
      } while (accepted > before && performance.now() < endsAt);
      server.off('connection', count);
    },
    end(lingerMs = 0) {
      ended ??= end(lingerMs);
      return ended;
    },
  };
}

/** The open connections of a server. */
function trackConnections(server: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return connections;
}

/** The responses of a server that are not finished, or whose request has not arrived completely. */
function trackActive(server: Server): ReadonlySet<ServerResponse> {
  const active = new Set<ServerResponse>();
  // One shared function instead of a closure for every request.
  function release(this: ServerResponse): void {
    const { req } = this;
    const emitters = [req, req.socket];
    const forget = () => {
      active.delete(this);
      // A connection outlives its requests: listeners left on it would accumulate.
      for (const emitter of emitters) emitter.off('close', forget);
    };
    if (req.complete || req.socket.destroyed) forget();
    // Answered before the request has arrived: its body still arrives, or the client leaves.
    else for (const emitter of emitters) emitter.once('close', forget);
  }
  server.on('request', (_, response) => {
    active.add(response);
    response.on('close', release);
  });
  return active;
}

/**
 * Runs `check` after `afterMs`, then every `everyMs`, each time when what has arrived is read: after a standstill the event loop
 * runs due timers first, and our own delay would look like one of the client. Returns what stops it.
 */
function repeat(check: () => void, afterMs: number, everyMs: number): () => void {
  let isStopped = false;
  let timer = setTimeout(run, afterMs);
  async function run() {
    await nextTurn();
    if (isStopped) return;
    check();
    timer = setTimeout(run, everyMs);
  }
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Whether the server has nothing left to do: the request has not arrived, or the response is not being read. */
function waitsForClient({ req, writableEnded, writableNeedDrain }: ServerResponse): boolean {
  return !req.complete || writableEnded || writableNeedDrain;
}

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
}
