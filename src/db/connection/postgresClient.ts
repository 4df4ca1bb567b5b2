import pg from 'pg';

/** A connection by itself. */
export type PostgresClient = pg.Client;

/** Longest wait for a server to accept a connection; the same as that of the pool. */
const CONNECT_MS = 5000;

/**
 * A connection to a PostgreSQL database by itself, for work that takes hours: it has none of the time limits that the pool of
 * the product has. Throws when the server does not accept it.
 */
export async function connectTo(url: string): Promise<PostgresClient> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'svc-admin',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
  });
  // A connection that breaks while no query runs would end the process; the next query says so.
  client.on('error', () => {});
  await client.connect();
  await client.query(
    'SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET jit = off',
  );
  return client;
}
