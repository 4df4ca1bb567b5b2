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

/** Answers of a connection, until they and their requests are through. */
type InHand = Set<ServerResponse>;

/** How often connections are looked for that have nothing in hand any more. */
const LOOK_MS = 50;
const PATIENCE_MS = 1000;

/** `patienceMs`: how long a stop waits for clients that send the rest of a request, or read the rest of an answer. */
export function closingOf(server: Server, patienceMs = PATIENCE_MS): Closing {
  const connections = new Map<Socket, InHand>();
  server.on('connection', (socket) => {
    connections.set(socket, new Set());
    socket.once('close', () => connections.delete(socket));
  });
  const forget = (response: ServerResponse) => void connections.get(response.req.socket)?.delete(response);
  // One function for all: it is there for every request.
  function isOver(this: ServerResponse): void {
    if (this.req.complete) forget(this);
    else this.req.once('close', () => forget(this));
  }
  server.on('request', ({ socket }, response) => {
    connections.get(socket)?.add(response);
    response.on('close', isOver);
  });

  let isAnnounced = false;
  const announce = () => {
    if (isAnnounced) return;
    isAnnounced = true;
    server.prependListener('request', (_, response) => closeAfter(response));
    for (const inHand of connections.values()) for (const response of inHand) closeAfter(response);
  };
  // Also those with half a head: Node calls them busy until headersTimeout.
  const cutIdle = () => {
    for (const [socket, { size }] of connections) if (size === 0) socket.destroy();
  };
  /** Twice in a row, so that nobody is cut who is only just being answered. */
  const slow = new Set<Socket>();
  const cutSlow = () => {
    for (const [socket, inHand] of connections) {
      if (!isClientsTurn(inHand)) slow.delete(socket);
      else if (slow.has(socket)) socket.destroy();
      else slow.add(socket);
    }
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
function isClientsTurn(inHand: InHand): boolean {
  return [...inHand].every(({ req, writableEnded, writableNeedDrain }) => {
    return !req.complete || writableEnded || writableNeedDrain;
  });
}

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
}
