import { PGlite } from '@electric-sql/pglite';

/** Drops the databases from which PostgreSQL would make others: they are six of ten files, and every first start would copy them. */
export async function dropTemplates(dataDir: string): Promise<void> {
  const pglite = await PGlite.create({ dataDir });
  const { rows } = await pglite.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE datname <> current_database()',
  );
  await pglite.exec('UPDATE pg_database SET datistemplate = false');
  for (const { datname } of rows) await pglite.exec(`DROP DATABASE ${datname}`);
  await pglite.close();
}
