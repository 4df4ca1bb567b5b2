import { endOfUtcDay } from '../db/dialects.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import { DAY_MS } from '../kernel/clock.ts';
import type { AnalyticsDimension, AnalyticsEvent, EventScope } from './AnalyticsQuery.ts';

/** Where a kind of app event is stored. Each table has `project_id`, `install_id`, `occurred_at` and `id`. */
export interface AppTable {
  table: 'opens' | 'app_events';
  /** SQL condition for the rows of this kind. */
  only: string;
  /** The dimensions that the table has, each with the SQL of its key; all others are unknown. */
  dimensions: Partial<Record<AnalyticsDimension, string>>;
  /** SQL of a value and its currency. */
  value: string;
  currency: string;
}

const COMMON = {
  country: 'country',
  region: 'region',
  city: 'city',
  platform: 'platform',
  device: 'device',
  language: 'language',
  link: 'link_id',
  domain: 'domain',
  slug: 'slug',
  app_version: 'app_version',
  // The list of ids, as in `clicks`. `Origin` describes what else is kept of the click and its link.
  tag: "NULLIF(CAST(origin -> 'tagIds' AS TEXT), '[]')",
  destination: "origin ->> 'destination'",
  rule: "origin ->> 'rule'",
  referrer_host: "origin ->> 'referrerHost'",
  utm_source: "origin -> 'utm' ->> 'source'",
  utm_medium: "origin -> 'utm' ->> 'medium'",
  utm_campaign: "origin -> 'utm' ->> 'campaign'",
  utm_term: "origin -> 'utm' ->> 'term'",
  utm_content: "origin -> 'utm' ->> 'content'",
} as const satisfies AppTable['dimensions'];

const OPENS = {
  table: 'opens',
  dimensions: { ...COMMON, match_method: 'method' },
  value: 'NULL',
  currency: 'NULL',
} as const;

export const APP_TABLES: Partial<Record<AnalyticsEvent, AppTable>> = {
  install: { ...OPENS, only: "kind = 'install'" },
  open: { ...OPENS, only: 'true' },
  app_event: {
    table: 'app_events',
    only: 'true',
    dimensions: { ...COMMON, event_name: 'COALESCE(counted_as, name)' },
    value: 'CASE WHEN outlier THEN NULL ELSE value END',
    currency: 'currency',
  },
};

/**
 * The UTC days in a range that have events, for events that are not in blocks; none for clicks. Makes one index lookup
 * for each such day and none for others: a range may be thousands of years long.
 */
export async function daysWithEvents({ projectId, event, range }: EventScope): Promise<number[]> {
  if (event === 'click') return [];
  const { table, only } = APP_TABLES[event] ?? { table: 'orphans', only: 'true' };
  // LIMIT instead of MIN: it makes every query planner use the index.
  const firstFrom = (start: string) =>
    `(SELECT occurred_at FROM ${table} WHERE project_id = $1 AND ${only} AND occurred_at >= ${start} AND occurred_at < $3
      ORDER BY occurred_at, id LIMIT 1)`;
  const rows = await queryRaw<{ at: string | Date }>(
    `WITH RECURSIVE found(at) AS (
       SELECT ${firstFrom('$2')}
       UNION ALL
       SELECT ${firstFrom(endOfUtcDay('found.at'))} FROM found WHERE found.at IS NOT NULL
     ) SELECT at FROM found WHERE at IS NOT NULL`,
    [projectId, sqlTime(range.start), sqlTime(range.end)],
  );
  return rows.map(({ at }) => Math.floor(new Date(at).getTime() / DAY_MS));
}
