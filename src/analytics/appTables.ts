import type { AnalyticsDimension, AnalyticsEvent } from './Question.ts';

/** Where a kind of event of apps has its rows. Each has `project_id`, `install_id`, `occurred_at` and `id`. */
export interface AppTable {
  table: 'opens' | 'app_events';
  /** SQL for the rows that are meant. */
  only: string;
  /** What is grouped and filtered by, each with where the table has its key; the rest is unknown. */
  dimensions: Partial<Record<AnalyticsDimension, string>>;
  /** SQL for a value and its currency. */
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
  // The list of ids, as of clicks. See `Origin` for what else the click and its link have told.
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

const OPENS = { table: 'opens', dimensions: COMMON, value: 'NULL', currency: 'NULL' } as const;

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
