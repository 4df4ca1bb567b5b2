import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

/** PGlite behind a socket, for machines without a PostgreSQL. Prints its URL and serves until it is killed. */
const db = await PGlite.create();
const server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1', maxConnections: 100 });
server.addEventListener('listening', (event) => {
  const { port } = (event as CustomEvent<{ port: number }>).detail;
  process.stdout.write(`postgres://postgres@127.0.0.1:${port}/postgres\n`);
});
await server.start();
