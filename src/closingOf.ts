import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * How to end a server: it takes no new connections, lets requests in hand end, and closes connections that are idle.
 * Browsers open some ahead of need; one that has never asked anything does not count as idle for Node.
 */
export function closingOf(server: Server): () => Promise<void> {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => void unused.delete(socket));
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
      for (const socket of unused) socket.destroy();
    });
}
