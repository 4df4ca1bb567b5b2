import { epochMs } from '../../db/dialects.ts';
import { queryRaw } from '../../db/query.ts';
import type { TrafficClass } from '../../routing/trafficReason.ts';
import type { Click } from '../click.ts';
import { literal, literalList, select } from './connection.ts';
import { insertClicks } from './insertRows.ts';
import { AS_IT_CAME } from './queueStore.ts';
import { CLICKS, openTable, readSettings } from './table.ts';

/** Clicks of one insert. */
const BATCH = 10_000;

/** A row of the built-in table. JSON is text on SQLite. */
interface StoredRow {
  id: string;
  project_id: string;
  link_id: string;
  domain: string;
  slug: string;
  occurred_ms: number | string;
  traffic_class: TrafficClass;
  traffic_reason: string | null;
  country: string | null;
  region: string | null;
  city: string | null;
  platform: string;
  device: string;
  browser: string | null;
  language: string | null;
  referrer_host: string | null;
  destination: string | null;
  rule: string | null;
  utm: string | Click['utm'];
  tag_ids: string | string[];
  visitor: string;
  address_hash: string;
}

export interface MovedClicks {
  /** Clicks that were read in the store. */
  read: number;
  /** How many of these ClickHouse has now, by its own count. */
  found: number;
}

/**
 * Copies the clicks of the built-in table to ClickHouse, after the click with the id `after`; a click that is there already stays
 * as it is. The table is left as it was. `onProgress` gets the number so far and the last id, after which another call may go on.
 * Throws `ClicksUnavailable`.
 */
export async function moveClicks(
  after: string,
  onProgress: (read: number, lastId: string) => void,
): Promise<MovedClicks> {
  await openTable();
  const moved: MovedClicks = { read: 0, found: 0 };
  for (let last = after; ; ) {
    const rows = await queryRaw<StoredRow>(
      `SELECT id, project_id, link_id, domain, slug, ${epochMs('occurred_at')} AS occurred_ms, traffic_class, traffic_reason,
         country, region, city, platform, device, browser, language, referrer_host, destination, rule, utm, tag_ids, visitor,
         address_hash
       FROM clicks WHERE id > $1 ORDER BY id LIMIT ${BATCH}`,
      [last],
    );
    if (rows.length === 0) return moved;
    await insertClicks(rows.map(clickOf), AS_IT_CAME, `${rows[0]?.id} ${rows.length}`);
    moved.read += rows.length;
    moved.found += await countThere(rows);
    last = rows.at(-1)?.id as string;
    onProgress(moved.read, last);
  }
}

/** How many of these clicks ClickHouse has. */
async function countThere(rows: readonly StoredRow[]): Promise<number> {
  const times = rows.map(({ occurred_ms: ms }) => Number(ms));
  const projects = [...new Set(rows.map(({ project_id }) => project_id))];
  const [range, last] = [[Math.min(...times), Math.max(...times)] as const, rows.at(-1)?.id as string];
  const [row] = await select<{ n: number | string }>(
    `SELECT count() AS n FROM ${CLICKS} WHERE project_id IN ${literalList(projects)} AND occurred_ms >= ${literal(range[0])}
       AND occurred_ms <= ${literal(range[1])} AND id >= ${literal(rows[0]?.id as string)} AND id <= ${literal(last)}`,
    await readSettings(),
  );
  return Number(row?.n ?? 0);
}

function clickOf(row: StoredRow): Click {
  return {
    id: row.id,
    teamId: '',
    projectId: row.project_id,
    linkId: row.link_id,
    domain: row.domain,
    slug: row.slug,
    occurredAt: Number(row.occurred_ms),
    trafficClass: row.traffic_class,
    trafficReason: row.traffic_reason,
    country: row.country,
    region: row.region,
    city: row.city,
    platform: row.platform,
    device: row.device,
    browser: row.browser,
    language: row.language,
    referrerHost: row.referrer_host,
    destination: row.destination,
    rule: row.rule,
    utm: typeof row.utm === 'string' ? JSON.parse(row.utm) : row.utm,
    tagIds: typeof row.tag_ids === 'string' ? JSON.parse(row.tag_ids) : row.tag_ids,
    visitor: row.visitor,
    addressHash: row.address_hash,
    osVersion: null,
    deviceModel: null,
  };
}
