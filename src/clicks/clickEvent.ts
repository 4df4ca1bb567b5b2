import { query } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { EventType } from '../events/catalogue.ts';
import { type ClickFacts, presentClick } from '../events/presentClick.ts';
import type { EventData } from '../events/presenters.ts';
import type { Utm } from '../models/Link.ts';
import { tagsOfLinks } from '../tags/linkTagStore.ts';

/** The columns of `clicks` that an event shows. JSON and times are text on SQLite. */
export interface CollectedClick {
  id: string;
  project_id: string;
  link_id: string;
  domain: string;
  slug: string;
  occurred_at: string | Date;
  traffic_class: ClickFacts['trafficClass'];
  country: string | null;
  region: string | null;
  city: string | null;
  platform: ClickFacts['platform'];
  device: ClickFacts['device'];
  browser: string | null;
  language: string | null;
  referrer_host: string | null;
  destination: string | null;
  rule: string | null;
  utm: string | Utm | null;
}

/** A link at the time when its clicks are collected. */
interface ClickedLink {
  domain: string;
  slug: string;
  external_id: string | null;
  /** Names; `tagIds` has their ids in the same order. */
  tags: string[];
  tagIds: string[];
}

/** The data of a link.clicked event. Of a link that is unknown by now, it has the values of the click itself. */
export function clickEventData(click: CollectedClick, link: ClickedLink | undefined): EventData['link.clicked'] {
  const { domain, slug, external_id, tags } = link ?? { ...click, external_id: null, tags: [] };
  return presentClick(factsOf(click), { id: click.link_id, domain, slug, externalId: external_id, tags });
}

function factsOf({ occurred_at, traffic_class, referrer_host, utm, ...click }: CollectedClick): ClickFacts {
  return {
    ...click,
    occurredAt: new Date(occurred_at),
    trafficClass: traffic_class,
    referrerHost: referrer_host,
    utm: typeof utm === 'string' ? JSON.parse(utm) : utm,
  };
}

const DELETED: EventType = 'link.deleted';

interface LinkRow {
  id: string;
  domain: string;
  slug: string;
  external_id: string | null;
}

interface DeletionRow {
  link_id: string;
  tag_ids: string | string[];
  data: string | EventData['link.deleted'];
}

/**
 * Links by id, with their current tags. A link that was deleted before its clicks were collected is read from its link.deleted
 * event, so that webhooks limited to its tags receive these clicks too.
 */
export async function readClickedLinks(
  projectIds: string[],
  linkIds: string[],
  transaction?: Transaction,
): Promise<Map<string, ClickedLink>> {
  const rows = await query<LinkRow>(
    'SELECT id, domain, slug, external_id FROM links WHERE id IN (:linkIds)',
    { linkIds },
    transaction,
  );
  const tags = await tagsOfLinks(linkIds, transaction);
  const links = new Map<string, ClickedLink>();
  for (const { id, ...link } of rows) {
    const ofLink = tags.get(id) ?? [];
    links.set(id, { ...link, tags: ofLink.map(({ name }) => name), tagIds: ofLink.map((tag) => tag.id) });
  }
  const gone = linkIds.filter((id) => !links.has(id));
  if (gone.length === 0) return links;
  const deletions = await query<DeletionRow>(
    'SELECT link_id, tag_ids, data FROM events WHERE project_id IN (:projectIds) AND link_id IN (:gone) AND type = :type',
    { projectIds, gone, type: DELETED },
    transaction,
  );
  for (const { link_id, tag_ids, data } of deletions) {
    const { link } = parsed(data);
    const { domain, slug, external_id, tags: names } = link;
    links.set(link_id, { domain, slug, external_id, tags: names, tagIds: parsed(tag_ids) });
  }
  return links;
}

/** JSON is text on SQLite. */
function parsed<Value>(json: string | Value): Value {
  return typeof json === 'string' ? JSON.parse(json) : json;
}
