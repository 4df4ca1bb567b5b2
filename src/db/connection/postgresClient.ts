import pg from 'pg';

/**
 * A client of pg whose `error` events never end the process. A server may end a session in the same packet that opens it, and
 * then the event comes before any caller of `connect` has added a listener. Nothing is lost: every later query fails.
 */
export class PostgresClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => {});
  }
}

/** Longest wait for a server to accept a connection; the same as that of the pool. */
const CONNECT_MS = 5000;

/**
 * A connection to a PostgreSQL database by itself, for work that takes hours: it has none of the time limits that the pool of
 * the product has. Throws when the server does not accept it.
 */
export async function connectTo(url: string): Promise<PostgresClient> {
  const client = new PostgresClient({
    connectionString: url,
    application_name: 'svc-admin',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
  });
  await client.connect();
  await client.query(
    "SELECT set_config(name, '0', false) FROM pg_settings WHERE name ~ '^(statement|lock|transaction|idle_.*session)_timeout$'; SET jit = off",
  );
  return client;
}
