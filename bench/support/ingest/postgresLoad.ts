import pg from 'pg';

const SAMPLE_MS = 50;

/** Samples what the sessions of a database wait for, until `stop`, which returns how often each thing was seen. */
export async function watchWaits(url: string): Promise<{ stop(): Promise<Record<string, number>> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const seen: Record<string, number> = {};
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      const { rows } = await client.query(
        `SELECT COALESCE(wait_event_type || ':' || wait_event, 'running') AS what FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`,
      );
      for (const { what } of rows) seen[what] = (seen[what] ?? 0) + 1;
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  })();
  return {
    async stop() {
      isOver = true;
      await loop;
      await client.end();
      return seen;
    },
  };
}
