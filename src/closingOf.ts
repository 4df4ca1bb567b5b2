import type { Server, ServerResponse } from 'node:http';
import { Server as PlainServer, type Socket } from 'node:net';

/** How a server ends without cutting anybody off. */
export interface Closing {
  /** From now on every answer says `Connection: close`; requests are answered as before. */
  announce(): void;
  /**
   * Takes no new connections, lets requests in hand end, and closes connections that have none: after `lingerMs`, in which
   * a request that is on its way still arrives and is answered. Can be called twice.
   */
  end(lingerMs?: number): Promise<void>;
}

/** How often connections are looked for that have nothing in hand any more. */
const LOOK_MS = 50;
/** Of servers inside the network, which are asked little. */
const PATIENCE_MS = 1000;

/** `patienceMs`: how long a stop waits for clients that send the rest of a request, or read the rest of an answer. */
export function closingOf(server: Server, patienceMs = PATIENCE_MS): Closing {
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  /** Answers, until they and their requests are through. */
  const inHand = new Set<ServerResponse>();
  // One function for all: it is there for every request.
  function letGo(this: ServerResponse): void {
    const { req } = this;
    const forget = () => inHand.delete(this);
    if (req.complete || req.socket.destroyed) forget();
    // Answered before it has arrived: it goes on arriving, or its client leaves.
    else for (const one of [req, req.socket]) one.once('close', forget);
  }
  server.on('request', (_, response) => {
    inHand.add(response);
    response.on('close', letGo);
  });

  let isAnnounced = false;
  const announce = () => {
    if (isAnnounced) return;
    isAnnounced = true;
    server.prependListener('request', (_, response) => closeAfter(response));
    for (const response of inHand) closeAfter(response);
  };
  // Also those with half a head: Node calls them busy until headersTimeout.
  const cutIdle = () => {
    const busy = new Set([...inHand].map(({ req }) => req.socket));
    for (const socket of connections) if (!busy.has(socket)) socket.destroy();
  };
  /** Twice in a row, so that nobody is cut who is only just being answered. */
  let slow = new Set<Socket>();
  const cutSlow = () => {
    const ours = new Set([...inHand].filter((response) => !isClientsTurn(response)).map(({ req }) => req.socket));
    for (const socket of slow) if (!ours.has(socket)) socket.destroy();
    slow = new Set([...connections].filter((socket) => !ours.has(socket)));
  };
  let ended: Promise<void> | undefined;
  const end = async (lingerMs: number) => {
    announce();
    // Not by http's own `close`, which cuts idle connections at once, with requests in them that have not been read.
    const closed = new Promise<void>((resolve) => PlainServer.prototype.close.call(server, () => resolve()));
    const timers: NodeJS.Timeout[] = [];
    const repeat = (look: () => void, afterMs: number, everyMs: number) => {
      const begin = () => {
        look();
        timers.push(setInterval(look, everyMs));
      };
      timers.push(setTimeout(begin, afterMs));
    };
    repeat(cutIdle, lingerMs, LOOK_MS);
    repeat(cutSlow, patienceMs, patienceMs / 10);
    await closed;
    for (const timer of timers) clearInterval(timer);
    server.close();
  };
  return {
    announce,
    end(lingerMs = 0) {
      ended ??= end(lingerMs);
      return ended;
    },
  };
}

/** Nothing is done for a request that has not arrived, and nothing is left to do for an answer that is not read. */
function isClientsTurn({ req, writableEnded, writableNeedDrain }: ServerResponse): boolean {
  return !req.complete || writableEnded || writableNeedDrain;
}

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
}
