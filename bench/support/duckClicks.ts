import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Click } from '../../src/clicks/click.ts';

export interface DuckClicks {
  connection: DuckDBConnection;
  /** Says which version answers, and with how many threads. */
  about: string;
  /** Keeps the clicks for the next copying. `copied` writes what is left. */
  add(clicks: Click[]): Promise<void>;
  copied(): Promise<void>;
  close(): void;
}

/** Text that is null where a click has none; tags by their names. */
const TEXTS = {
  link: (click) => click.linkId,
  domain: (click) => click.domain,
  slug: (click) => click.slug,
  traffic_class: (click) => click.trafficClass,
  country: (click) => click.country,
  region: (click) => click.region,
  city: (click) => click.city,
  platform: (click) => click.platform,
  device: (click) => click.device,
  browser: (click) => click.browser,
  language: (click) => click.language,
  referrer_host: (click) => click.referrerHost,
  destination: (click) => click.destination,
  rule: (click) => click.rule,
  utm_source: (click) => click.utm?.source,
  utm_medium: (click) => click.utm?.medium,
  utm_campaign: (click) => click.utm?.campaign,
  utm_term: (click) => click.utm?.term,
  utm_content: (click) => click.utm?.content,
  visitor: (click) => click.visitor,
} as const satisfies Record<string, (click: Click) => string | null | undefined>;

const COLUMNS = Object.keys(TEXTS);
const READERS = Object.values(TEXTS);
/** Rows of one copying: two of DuckDB's groups of rows. */
const COPY_ROWS = 245_760;

/** The same clicks as one table of DuckDB in a file in `folder`. */
export async function openDuckClicks(folder: string, tagNames: ReadonlyMap<string, string>): Promise<DuckClicks> {
  const instance = await DuckDBInstance.create(path.join(folder, 'clicks.duckdb'));
  const connection = await instance.connect();
  await connection.run(
    `CREATE TABLE IF NOT EXISTS clicks (occurred_at TIMESTAMP, tags VARCHAR[], ${COLUMNS.map((name) => `${name} VARCHAR`).join(', ')})`,
  );
  const read = await connection.runAndReadAll("SELECT version(), current_setting('threads')");
  const [version, threads] = read.getRows()[0] as [string, bigint];
  const file = path.join(folder, 'clicks.csv');
  let rows: string[] = [];
  const copied = async () => {
    if (rows.length === 0) return;
    await writeFile(file, `${rows.join('\n')}\n`);
    rows = [];
    await connection.run(copySql(file));
    await rm(file);
  };
  return {
    connection,
    about: `DuckDB ${version}, ${threads} threads`,
    copied,
    async add(clicks) {
      for (const click of clicks) rows.push(csvLine(click, tagNames));
      if (rows.length >= COPY_ROWS) await copied();
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function csvLine(click: Click, tagNames: ReadonlyMap<string, string>): string {
  const tags = click.tagIds.map((id) => tagNames.get(id)).join('|');
  // Joined at once: pieces put together one by one would stay pieces, forty objects a line.
  return [click.occurredAt, tags, ...READERS.map((read) => read(click))].join(',');
}

function copySql(file: string): string {
  const texts = COLUMNS.map((name) => `'${name}': 'VARCHAR'`).join(', ');
  return `INSERT INTO clicks SELECT make_timestamp(moment * 1000), CASE WHEN tags IS NULL THEN [] ELSE string_split(tags, '|') END, ${COLUMNS.join(', ')}
    FROM read_csv('${file}', header = false, auto_detect = false, delim = ',', quote = '', escape = '', nullstr = '',
      columns = {'moment': 'BIGINT', 'tags': 'VARCHAR', ${texts}})`;
}
