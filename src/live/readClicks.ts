import { type CollectedClick, clickEventData } from '../clicks/clickEvent.ts';
import { readClickedLinks } from '../clicks/readClickedLinks.ts';
import { among, amongValue } from '../db/among.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import type { EventData } from '../events/EventData.ts';

/** A click as the stream shows it: `data` is that of `link.clicked`. */
export interface LiveClick {
  id: string;
  data: EventData['link.clicked'];
}

/** Ids of the project's newest clicks since that moment, newest first and at most `limit`; prefetches are left out. */
export async function newestClickIds(projectId: string, sinceMs: number, limit: number): Promise<string[]> {
  const rows = await selectBound<{ id: string }>(
    `SELECT id FROM clicks WHERE project_id = $1 AND occurred_at >= $2 AND traffic_class <> 'prefetch'
     ORDER BY occurred_at DESC, id DESC LIMIT ${limit}`,
    [projectId, sqlTime(sinceMs)],
  );
  return rows.map(({ id }) => id);
}

/** These clicks, oldest first, with what is known of their links now. */
export async function readClicks(projectId: string, ids: readonly string[]): Promise<LiveClick[]> {
  if (ids.length === 0) return [];
  const clicks = await selectBound<CollectedClick>(
    `SELECT id, project_id, link_id, domain, slug, occurred_at, traffic_class, country, region, city, platform, device,
       browser, language, referrer_host, destination, rule, utm
     FROM clicks WHERE ${among('id', '$1')} ORDER BY occurred_at, id`,
    [amongValue(ids)],
  );
  const links = await readClickedLinks([projectId], [...new Set(clicks.map(({ link_id }) => link_id))]);
  return clicks.map((click) => ({ id: click.id, data: clickEventData(click, links.get(click.link_id)) }));
}
