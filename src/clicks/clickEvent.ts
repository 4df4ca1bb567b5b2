import { shortUrl } from '../kernel/origins.ts';
import type { Utm } from '../models/Link.ts';

/** A row of `clicks` as an event tells it. JSON and moments are text on SQLite. */
export interface CollectedClick {
  id: string;
  project_id: string;
  link_id: string;
  domain: string;
  slug: string;
  occurred_at: string | Date;
  traffic_class: string;
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
  utm: string | Utm | null;
}

/** What is known of the link when its clicks are collected. */
export interface ClickedLink {
  domain: string;
  slug: string;
  external_id: string | null;
  /** Names. */
  tags: string[];
}

/** The data of a link.clicked event. Of a deleted link only what the click itself tells is known. */
export function clickEventData(click: CollectedClick, link: ClickedLink | undefined): Record<string, unknown> {
  const { domain, slug, external_id, tags } = link ?? { ...click, external_id: null, tags: [] };
  return {
    click: {
      id: click.id,
      occurred_at: new Date(click.occurred_at).toISOString(),
      traffic_class: click.traffic_class,
      country: click.country,
      region: click.region,
      city: click.city,
      platform: click.platform,
      device: click.device,
      browser: click.browser,
      referrer_host: click.referrer_host,
      language: click.language,
      destination: click.destination,
      rule: click.rule,
      utm: allMembers(click.utm),
    },
    link: { id: click.link_id, domain, slug, short_url: shortUrl(domain, slug), external_id, tags },
  };
}

function allMembers(stored: string | Utm | null): Utm | null {
  const utm: Utm | null = typeof stored === 'string' ? JSON.parse(stored) : stored;
  if (utm === null) return null;
  const { source = null, medium = null, campaign = null, term = null, content = null } = utm;
  return { source, medium, campaign, term, content };
}
