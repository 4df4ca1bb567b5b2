import { config } from '../../kernel/config.ts';
import type { Click } from '../click.ts';
import { clickHouseDatabase, clickHouseServer, command, type Server, select } from './connection.ts';

/** A column of the table of clicks. Unknown values are stored as the empty text: every dimension treats them alike. */
interface Column {
  /** Of a recent server; one of before 22.8 has plain types. */
  type: string;
  old: string;
  of(click: Click): unknown;
}

const word = (of: (click: Click) => string | null | undefined): Column => ({
  type: 'LowCardinality(String)',
  old: 'String',
  of: (click) => of(click) ?? '',
});
const text = (of: (click: Click) => string | null | undefined): Column => ({
  type: 'String CODEC(ZSTD(1))',
  old: 'String',
  of: (click) => of(click) ?? '',
});

/** The columns by name, in the order of the table. The names are those of the built-in store, with UTM values apart. */
export const COLUMNS: Record<string, Column> = {
  project_id: word(({ projectId }) => projectId),
  occurred_ms: { type: 'Int64 CODEC(Delta, ZSTD(1))', old: 'Int64', of: ({ occurredAt }) => occurredAt },
  id: text(({ id }) => id),
  link_id: word(({ linkId }) => linkId),
  domain: word(({ domain }) => domain),
  slug: word(({ slug }) => slug),
  traffic_class: word(({ trafficClass }) => trafficClass),
  traffic_reason: word(({ trafficReason }) => trafficReason),
  country: word(({ country }) => country),
  region: word(({ region }) => region),
  city: word(({ city }) => city),
  platform: word(({ platform }) => platform),
  device: word(({ device }) => device),
  browser: word(({ browser }) => browser),
  language: word(({ language }) => language),
  referrer_host: word(({ referrerHost }) => referrerHost),
  destination: word(({ destination }) => destination),
  rule: word(({ rule }) => rule),
  utm_source: word(({ utm }) => utm?.source),
  utm_medium: word(({ utm }) => utm?.medium),
  utm_campaign: word(({ utm }) => utm?.campaign),
  utm_term: word(({ utm }) => utm?.term),
  utm_content: word(({ utm }) => utm?.content),
  tag_ids: { type: 'Array(LowCardinality(String))', old: 'Array(String)', of: ({ tagIds }) => tagIds },
  visitor: text(({ visitor }) => visitor),
  address_hash: text(({ addressHash }) => addressHash),
};

/** A row as `insertRows` takes it. Of rows with the same click, that with the highest version counts. */
export function rowOf(click: Click, version: number): Record<string, unknown> {
  const row: Record<string, unknown> = { version };
  for (const name of Object.keys(COLUMNS)) row[name] = COLUMNS[name]?.of(click);
  return row;
}

/** The table that is read and written: of a cluster the distributed one. */
export const TABLE = 'clicks';
const LOCAL = 'clicks_local';

/** Rows before a merge may stand there twice, or in an earlier version: FINAL shows each click once. */
export const CLICKS = `${TABLE} FINAL`;

/** Settings of every reading statement on a recent server: rows of a click are always in the same partition. */
const FINAL_SETTINGS = { do_not_merge_across_partitions_select_final: 1 as const };

export async function readSettings(): Promise<typeof FINAL_SETTINGS | Record<string, never>> {
  return (await openTable()).isRecent ? FINAL_SETTINGS : {};
}

/** By the server that has it. */
const tables = new WeakMap<Promise<Server>, Promise<Server>>();

/** Makes the table where it is missing, once for each connection. Throws `ClicksUnavailable`. */
export function openTable(): Promise<Server> {
  const server = clickHouseServer();
  const known = tables.get(server);
  if (known) return known;
  const table = make().catch((error) => {
    tables.delete(server);
    throw error;
  });
  tables.set(server, table);
  return table;
}

async function make(): Promise<Server> {
  const server = await clickHouseServer();
  const cluster = config.clicksCluster;
  await command(tableSql(server, cluster));
  if (cluster) await command(distributedSql(server, cluster));
  if (server.isRecent) await followRetention(cluster);
  return server;
}

function tableSql({ isRecent }: Server, cluster: string | null): string {
  const columns = Object.entries(COLUMNS).map(([name, { type, old }]) => `${name} ${isRecent ? type : old}`);
  if (isRecent) columns.push('INDEX by_id id TYPE bloom_filter(0.01) GRANULARITY 4');
  // The path is that of the shard; Keeper tells the replicas of it apart.
  const engine = cluster
    ? `ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/${clickHouseDatabase()}/${LOCAL}', '{replica}', version)`
    : 'ReplacingMergeTree(version)';
  return `CREATE TABLE IF NOT EXISTS ${cluster ? LOCAL : TABLE}${onCluster(cluster)} (${columns.join(', ')}, version UInt8)
    ENGINE = ${engine} PARTITION BY toYYYYMM(toDateTime(intDiv(occurred_ms, 1000)), 'UTC') ORDER BY (project_id, occurred_ms, id)
    ${isRecent ? `TTL ${ttl()}` : ''}
    SETTINGS index_granularity = 8192${isRecent && !cluster ? ', non_replicated_deduplication_window = 1000' : ''}`;
}

/** Each day of a project is on one shard, and with it every version of a click. */
function distributedSql({ isRecent }: Server, cluster: string): string {
  const columns = Object.entries(COLUMNS).map(([name, { type, old }]) => `${name} ${isRecent ? bare(type) : old}`);
  const key = 'cityHash64(project_id, intDiv(occurred_ms, 86400000))';
  return `CREATE TABLE IF NOT EXISTS ${TABLE}${onCluster(cluster)} (${columns.join(', ')}, version UInt8)
    ENGINE = Distributed(${cluster}, ${clickHouseDatabase()}, ${LOCAL}, ${key})`;
}

function bare(type: string): string {
  return type.replace(/ CODEC.*$/, '');
}

function onCluster(cluster: string | null): string {
  return cluster ? ` ON CLUSTER ${cluster}` : '';
}

function ttl(): string {
  return `toDateTime(intDiv(occurred_ms, 1000), 'UTC') + toIntervalDay(${config.clickRetentionDays})`;
}

/** Changes the TTL of the table when CLICK_RETENTION_DAYS has changed. */
async function followRetention(cluster: string | null): Promise<void> {
  const table = cluster ? LOCAL : TABLE;
  const [row] = await select<{ sql: string }>(
    `SELECT create_table_query AS sql FROM system.tables WHERE database = currentDatabase() AND name = '${table}'`,
  );
  if (row?.sql.includes(`toIntervalDay(${config.clickRetentionDays})`)) return;
  await command(`ALTER TABLE ${table}${onCluster(cluster)} MODIFY TTL ${ttl()}`);
}

/** Deletes clicks for good, which the server does by writing the parts anew that have any. */
export async function deleteClicks(condition: string): Promise<void> {
  const cluster = config.clicksCluster;
  const { isRecent } = await openTable();
  await command(
    `ALTER TABLE ${cluster ? LOCAL : TABLE}${onCluster(cluster)} DELETE WHERE ${condition}`,
    // A recent server answers when the rows are gone.
    isRecent ? { mutations_sync: '1' } : {},
  );
}
