import { type QueryInterface, QueryTypes, type Transaction } from 'sequelize';
import { log } from '../../kernel/log.ts';
import { database, dialect } from '../connection/database.ts';

const IN_USE = 'flagged_at IS NULL AND archived_at IS NULL';

/** What lists of links are read from, beside the sorts of 0001. A condition keeps links out that it does not hold for. */
const INDEXES: { name: string; columns: string; where?: string }[] = [
  { name: 'links_by_domain', columns: 'project_id, domain, created_at, id' },
  { name: 'links_by_batch', columns: 'project_id, batch_id, created_at, id', where: 'batch_id IS NOT NULL' },
  { name: 'links_flagged', columns: 'project_id, created_at, id', where: 'flagged_at IS NOT NULL' },
  {
    name: 'links_archived',
    columns: 'project_id, created_at, id',
    where: 'flagged_at IS NULL AND archived_at IS NOT NULL',
  },
  { name: 'links_starting', columns: 'project_id, created_at, id', where: `${IN_USE} AND starts_at IS NOT NULL` },
  {
    name: 'links_ending',
    columns: 'project_id, created_at, id',
    where: `${IN_USE} AND (expires_at IS NOT NULL OR click_limit IS NOT NULL)`,
  },
];

type Run = (sql: string) => Promise<unknown>;

/** Indexes for each filter of the list of links, and one over their texts for `search`. */
export async function linkSearch(_: QueryInterface, transaction: Transaction): Promise<void> {
  const run: Run = (sql) => database().query(sql, { transaction });
  if (dialect() === 'sqlite') await numberLinks(run, transaction);
  else await keepMilliseconds(run);
  await run('DROP INDEX links_project_id_batch_id');
  for (const { name, columns, where } of INDEXES) {
    await run(`CREATE INDEX ${name} ON links (${columns})${where ? ` WHERE ${where}` : ''}`);
  }
  if (dialect() === 'sqlite') for (const sql of SQLITE_SEARCH) await run(sql);
  else await indexTextsOnPostgres(transaction);
}

/**
 * Gives links a number of their own, by which the index over their texts names them: SQLite may change the hidden
 * number of a row when the file is compacted or copied. It cannot add a primary key, so the table is made anew.
 */
async function numberLinks(run: Run, transaction: Transaction): Promise<void> {
  const ask = (sql: string) =>
    database().query<{ name: string; sql: string }>(sql, { type: QueryTypes.SELECT, transaction });
  const made = await ask("SELECT name, sql FROM sqlite_master WHERE tbl_name = 'links' AND sql IS NOT NULL");
  const columns = (await ask("SELECT name FROM pragma_table_info('links')")).map(({ name }) => name).join(', ');
  const links = made.find(({ name }) => name === 'links')?.sql ?? '';
  await run(
    links
      .replace('`links` (', '`links_numbered` (`row` INTEGER PRIMARY KEY, ')
      .replace('`id` TEXT NOT NULL PRIMARY KEY', '`id` TEXT NOT NULL UNIQUE'),
  );
  await run(`INSERT INTO links_numbered (${columns}) SELECT ${columns} FROM links ORDER BY created_at, id`);
  // Dropping the table takes along what refers to its rows, as their deletion would.
  await run('CREATE TEMP TABLE kept_link_tags AS SELECT * FROM link_tags');
  await run('DROP TABLE links');
  await run('ALTER TABLE links_numbered RENAME TO links');
  await run('INSERT INTO link_tags SELECT * FROM kept_link_tags');
  await run('DROP TABLE kept_link_tags');
  for (const { name, sql } of made) if (name !== 'links') await run(sql);
}

/** Cursors hold milliseconds: a row with a finer time of creation would stand before or behind its own cursor. */
async function keepMilliseconds(run: Run): Promise<void> {
  const columns = ['created_at', 'last_clicked_at'];
  await run(`ALTER TABLE links ${columns.map((column) => `ALTER ${column} TYPE TIMESTAMPTZ(3)`).join(', ')}`);
}

const TEXTS = 'slug, destination, title';
const FORGET = `INSERT INTO link_search (link_search, rowid, ${TEXTS})
  VALUES ('delete', OLD.row, OLD.slug, OLD.destination, OLD.title);`;
const LEARN = `INSERT INTO link_search (rowid, ${TEXTS}) VALUES (NEW.row, NEW.slug, NEW.destination, NEW.title);`;

/**
 * It knows which trigrams a link has, and not where: a search looks at the texts anyway, and rows are written faster by
 * half. Triggers keep it right, whoever writes.
 */
const SQLITE_SEARCH = [
  `CREATE VIRTUAL TABLE link_search USING fts5 (${TEXTS}, content = 'links', content_rowid = 'row',
     tokenize = 'trigram', detail = none, columnsize = 0)`,
  "INSERT INTO link_search (link_search) VALUES ('rebuild')",
  `CREATE TRIGGER link_search_insert AFTER INSERT ON links BEGIN ${LEARN} END`,
  `CREATE TRIGGER link_search_delete AFTER DELETE ON links BEGIN ${FORGET} END`,
  `CREATE TRIGGER link_search_update AFTER UPDATE OF row, ${TEXTS} ON links BEGIN ${FORGET} ${LEARN} END`,
];

/** In one text, parted by line breaks, A to Z in lower case: "C" knows no other letters, on any server. */
const POSTGRES_SEARCH = `CREATE INDEX links_search ON links
  USING gin (lower((slug || chr(10) || destination || chr(10) || coalesce(title, '')) COLLATE "C") gin_trgm_ops)`;

/** Without the extension, or the right to add it, there is no such index, and a search looks through the newest links. */
async function indexTextsOnPostgres(transaction: Transaction): Promise<void> {
  try {
    await database().transaction({ transaction }, async (savepoint) => {
      await database().query('CREATE EXTENSION IF NOT EXISTS pg_trgm', { transaction: savepoint });
      await database().query(POSTGRES_SEARCH, { transaction: savepoint });
    });
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'no index for searches: pg_trgm could not be added');
  }
}
