import { announce } from '../db/announce.ts';
import { database, dialect, select } from '../db/database.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { now } from '../kernel/clock.ts';
import { sameUuid } from '../kernel/ids.ts';
import { shortUrl } from '../kernel/origins.ts';
import { Event } from '../models/Event.ts';
import { Link } from '../models/Link.ts';
import { Project } from '../models/Project.ts';
import { type TagOfLink, tagsOfLinks } from '../services/links/linkTags.ts';

/** Clicks in one transaction. */
const BATCH = 500;

/**
 * Makes a link.clicked event of each click that a webhook wants to hear of; gives how many. The event has the id of its
 * click and is written in the transaction that ticks the click off: a crash makes neither two nor none.
 */
export async function collectTraffic(): Promise<number> {
  let collected = 0;
  for (;;) {
    const batch = await inTransaction(collectBatch);
    collected += batch;
    if (batch < BATCH) return collected;
  }
}

interface StoredClick {
  id: string;
  project_id: string;
  link_id: string;
  domain: string;
  slug: string;
  occurred_at: Date | string;
  traffic_class: string;
  utm: unknown;
  [column: string]: unknown;
}

async function collectBatch(transaction: Transaction): Promise<number> {
  // Workers that collect at the same time take different clicks.
  const lock = dialect() === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : '';
  const clicks = await select<StoredClick>(
    `SELECT * FROM clicks WHERE uncollected = true ORDER BY occurred_at LIMIT ${BATCH} ${lock}`,
    {},
    transaction,
  );
  if (clicks.length === 0) return 0;
  const owners = await ownersOf(clicks, transaction);
  const createdAt = now();
  const events = clicks.flatMap((click) => {
    const teamId = owners.teams.get(click.project_id);
    if (!teamId) return [];
    const tags = owners.tags.get(click.link_id) ?? [];
    return {
      id: sameUuid('evt', click.id),
      type: 'link.clicked',
      teamId,
      projectId: click.project_id,
      linkId: click.link_id,
      tagIds: tags.map((tag) => tag.id),
      trafficClass: click.traffic_class,
      data: present(click, owners.links.get(click.link_id), tags),
      createdAt,
    };
  });
  await Event.bulkCreate(events, { transaction, ignoreDuplicates: true });
  await database().query('UPDATE clicks SET uncollected = false WHERE id IN (:ids)', {
    replacements: { ids: clicks.map((click) => click.id) },
    transaction,
  });
  await announce(transaction, 'outbox', '');
  return clicks.length;
}

async function ownersOf(clicks: StoredClick[], transaction: Transaction) {
  const linkIds = [...new Set(clicks.map((click) => click.link_id))];
  const projectIds = [...new Set(clicks.map((click) => click.project_id))];
  const links = await Link.findAll({
    attributes: ['id', 'externalId'],
    where: { id: { [Op.in]: linkIds } },
    transaction,
  });
  const projects = await Project.findAll({
    attributes: ['id', 'teamId'],
    where: { id: { [Op.in]: projectIds } },
    transaction,
  });
  return {
    links: new Map(links.map((link) => [link.id, link])),
    teams: new Map(projects.map((project) => [project.id, project.teamId])),
    tags: await tagsOfLinks(linkIds, transaction),
  };
}

const SHOWN = [
  'country',
  'region',
  'city',
  'platform',
  'device',
  'browser',
  'referrer_host',
  'language',
  'destination',
  'rule',
];

function present(click: StoredClick, link: Link | undefined, tags: TagOfLink[]): Record<string, unknown> {
  return {
    click: {
      id: click.id,
      occurred_at: new Date(click.occurred_at).toISOString(),
      traffic_class: click.traffic_class,
      ...Object.fromEntries(SHOWN.map((column) => [column, click[column] ?? null])),
      // SQLite gives JSON columns of hand-written queries as text.
      utm: typeof click.utm === 'string' ? JSON.parse(click.utm) : click.utm,
    },
    link: {
      id: click.link_id,
      domain: click.domain,
      slug: click.slug,
      short_url: shortUrl(click.domain, click.slug),
      external_id: link?.externalId ?? null,
      tags: tags.map((tag) => tag.name),
    },
  };
}
