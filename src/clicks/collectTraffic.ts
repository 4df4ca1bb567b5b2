import { announce } from '../db/announce.ts';
import { dialect, select } from '../db/database.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { EventType } from '../events/catalogue.ts';
import { clock } from '../kernel/clock.ts';
import { sameUuid } from '../kernel/ids.ts';
import { type CollectedClick, clickEventData } from './clickEvent.ts';
import { readClickedLinks } from './readClickedLinks.ts';

/** Clicks in one transaction: on SQLite every other write waits for it. */
const BATCH = 500;
const TYPE: EventType = 'link.clicked';

/**
 * Makes a link.clicked event of every click that a webhook may wait for, oldest first, and gives their number. A click
 * and its event share a UUID, so that collecting twice makes no second event; several processes may collect at once.
 */
export async function collectTraffic(): Promise<number> {
  let collected = 0;
  for (;;) {
    const batch = await inTransaction(collectBatch);
    collected += batch;
    if (batch < BATCH) return collected;
  }
}

async function collectBatch(transaction: Transaction): Promise<number> {
  const clicks = await select<CollectedClick>(
    `SELECT id, project_id, link_id, domain, slug, occurred_at, traffic_class, country, region, city, platform, device,
       browser, language, referrer_host, destination, rule, utm
     FROM clicks WHERE uncollected = :yes ORDER BY occurred_at LIMIT ${BATCH}
     ${dialect() === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : ''}`,
    { yes: true },
    transaction,
  );
  if (clicks.length === 0) return 0;
  await recordEvents(clicks, transaction);
  await withJsonRows(
    { id: 'text' },
    clicks.map(({ id }) => [id]),
    'UPDATE clicks SET uncollected = false WHERE id IN (SELECT id FROM given)',
    transaction,
  );
  await announce(transaction, 'outbox', '');
  return clicks.length;
}

const EVENT_COLUMNS = {
  id: 'text',
  type: 'text',
  team_id: 'text',
  project_id: 'text',
  link_id: 'text',
  tag_ids: 'json',
  traffic_class: 'text',
  data: 'json',
  created_at: 'time',
} as const;

async function recordEvents(clicks: CollectedClick[], transaction: Transaction): Promise<void> {
  const { teams, links } = await surroundings(clicks, transaction);
  const now = sqlTime(clock.now());
  const rows = clicks.flatMap((click) => {
    const { id, project_id, link_id, traffic_class } = click;
    const teamId = teams.get(project_id);
    // The project was deleted, and with it every webhook that could have waited.
    if (teamId === undefined) return [];
    const link = links.get(link_id);
    const data = clickEventData(click, link);
    return [[sameUuid('evt', id), TYPE, teamId, project_id, link_id, link?.tagIds ?? [], traffic_class, data, now]];
  });
  const names = Object.keys(EVENT_COLUMNS).join(', ');
  await withJsonRows(
    EVENT_COLUMNS,
    rows,
    `INSERT INTO events (${names}) SELECT ${names} FROM given WHERE true ON CONFLICT (id) DO NOTHING`,
    transaction,
  );
}

/** Teams by project, links by id. */
async function surroundings(clicks: CollectedClick[], transaction: Transaction) {
  const projectIds = [...new Set(clicks.map(({ project_id }) => project_id))];
  const linkIds = [...new Set(clicks.map(({ link_id }) => link_id))];
  const projects = await select<{ id: string; team_id: string }>(
    'SELECT id, team_id FROM projects WHERE id IN (:projectIds)',
    { projectIds },
    transaction,
  );
  return {
    teams: new Map(projects.map(({ id, team_id }) => [id, team_id])),
    links: await readClickedLinks(projectIds, linkIds, transaction),
  };
}
