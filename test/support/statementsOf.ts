import pg from 'pg';

/** The statements that this process sends to PostgreSQL while `work` runs, each by its beginning. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const client = pg.Client.prototype as unknown as { query(...args: unknown[]): unknown };
  const { query } = client;
  client.query = function (this: unknown, ...args: unknown[]) {
    const [first] = args as [string | { text: string }];
    sent.push((typeof first === 'string' ? first : first.text).trim().slice(0, 100));
    return query.apply(this, args);
  };
  try {
    await work();
  } finally {
    client.query = query;
  }
  return sent;
}
