import type { Server, ServerResponse } from 'node:http';
import { Server as PlainServer, type Socket } from 'node:net';

/** How a server ends without cutting anybody off. */
export interface Closing {
  /** From now on every answer says `Connection: close`; requests are answered as before. */
  announce(): void;
  /**
   * Takes no new connections, lets requests in hand end, and closes connections that are idle: after `lingerMs`, in which a
   * request that is on its way still arrives and is answered. Can be called twice.
   */
  end(lingerMs?: number): Promise<void>;
}

/** How often connections are looked for that have become idle since. */
const LOOK_MS = 50;

/** Browsers open connections ahead of need; one that has never asked anything does not count as idle for Node. */
export function closingOf(server: Server): Closing {
  const sockets = new Set<Socket>();
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    unused.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      unused.delete(socket);
    });
  });
  server.on('request', ({ socket }) => void unused.delete(socket));

  let isAnnounced = false;
  const announce = () => {
    if (isAnnounced) return;
    isAnnounced = true;
    server.prependListener('request', (_, response) => closeAfter(response));
    for (const socket of sockets) closeAfter((socket as unknown as { _httpMessage?: ServerResponse })._httpMessage);
  };
  const cutIdle = () => {
    server.closeIdleConnections();
    for (const socket of unused) socket.destroy();
  };
  let ended: Promise<void> | undefined;
  const end = async (lingerMs: number) => {
    announce();
    // Not by http's own `close`, which cuts idle connections at once, with requests in them that have not been read.
    const closed = new Promise<void>((resolve) => PlainServer.prototype.close.call(server, () => resolve()));
    let looking: NodeJS.Timeout | undefined;
    const lingering = setTimeout(() => {
      cutIdle();
      looking = setInterval(cutIdle, LOOK_MS);
    }, lingerMs);
    await closed;
    clearTimeout(lingering);
    clearInterval(looking);
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

function closeAfter(response: ServerResponse | null | undefined): void {
  if (response && !response.headersSent) response.shouldKeepAlive = false;
}
