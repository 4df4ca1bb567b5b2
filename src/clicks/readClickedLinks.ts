import { select } from '../db/database.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { EventType } from '../events/catalogue.ts';
import type { EventData } from '../events/EventData.ts';
import { tagsOfLinks } from '../services/links/linkTags.ts';
import type { ClickedLink } from './clickEvent.ts';

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
 * Links by their ids as they are, with their tags. Of one that was deleted before its clicks were collected, as its
 * deletion told of it: webhooks of its tags hear of these clicks too.
 */
export async function readClickedLinks(
  projectIds: string[],
  linkIds: string[],
  transaction?: Transaction,
): Promise<Map<string, ClickedLink>> {
  const rows = await select<LinkRow>(
    'SELECT id, domain, slug, external_id FROM links WHERE id IN (:linkIds)',
    { linkIds },
    transaction,
  );
  const tags = await tagsOfLinks(linkIds, transaction);
  const links = new Map<string, ClickedLink>();
  for (const { id, ...link } of rows) {
    const carried = tags.get(id) ?? [];
    links.set(id, { ...link, tags: carried.map(({ name }) => name), tagIds: carried.map((tag) => tag.id) });
  }
  const gone = linkIds.filter((id) => !links.has(id));
  if (gone.length === 0) return links;
  const deletions = await select<DeletionRow>(
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
