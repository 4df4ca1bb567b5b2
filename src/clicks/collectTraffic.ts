import { announce } from '../db/announce.ts';
import { query } from '../db/query.ts';
import { insertRows } from '../db/rows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inIndexOrder } from '../db/transactions.ts';
import type { EventType } from '../events/catalogue.ts';
import { now } from '../kernel/clock.ts';
import { sameUuid } from '../kernel/ids.ts';
import { Event } from '../models/Event.ts';
import { BUILT_IN } from './builtInStore.ts';
import { clickStore } from './chosenStore.ts';
import { type CollectedClick, clickEventData, readClickedLinks } from './clickEvent.ts';
import { hasClickHouse } from './clickhouse/connection.ts';
import type { ClickStore } from './clickStores.ts';

/** Clicks of one transaction. On SQLite all other writes wait for it. */
const BATCH = 500;
const TYPE: EventType = 'link.clicked';

/**
 * Creates a link.clicked event for every click that a webhook may want, oldest first, and returns their number. A click and its
 * event share a UUID, so a repeated run creates no second event. Several processes may do this at once. Clicks of a deleted
 * project wait until it is restored.
 */
export async function collectTraffic(): Promise<number> {
  // Clicks from before CLICKS_URL was set may wait in the store.
  const before = hasClickHouse() ? await collectFrom(BUILT_IN) : 0;
  return before + (await collectFrom(clickStore()));
}

async function collectFrom(store: ClickStore): Promise<number> {
  let collected = 0;
  for (;;) {
    const batch = await inIndexOrder((transaction) => collectBatch(store, transaction));
    collected += batch;
    if (batch < BATCH) return collected;
  }
}

async function collectBatch(store: ClickStore, transaction: Transaction): Promise<number> {
  const clicks = await store.claimAwaited(BATCH, transaction);
  if (clicks.length === 0) return 0;
  await insertEvents(clicks, transaction);
  await announce(transaction, 'outbox', ...new Set(clicks.map(({ project_id }) => project_id)));
  return clicks.length;
}

async function insertEvents(clicks: CollectedClick[], transaction: Transaction): Promise<void> {
  const { teams, links } = await readContext(clicks, transaction);
  const createdAt = now();
  const rows = clicks.flatMap((click) => {
    const { id, project_id: projectId, link_id: linkId, traffic_class: trafficClass } = click;
    const teamId = teams.get(projectId);
    // The project was deleted, and its webhooks with it.
    if (teamId === undefined) return [];
    const link = links.get(linkId);
    const data = clickEventData(click, link);
    const scope = { teamId, projectId, linkId, tagIds: link?.tagIds ?? [], trafficClass };
    return [{ id: sameUuid('evt', id), type: TYPE, ...scope, data, createdAt }];
  });
  await insertRows(Event, rows, { transaction, onConflict: 'ON CONFLICT (id) DO NOTHING' });
}

/** The team of each project, and each link, by id. */
async function readContext(clicks: CollectedClick[], transaction: Transaction) {
  const projectIds = [...new Set(clicks.map(({ project_id }) => project_id))];
  const linkIds = [...new Set(clicks.map(({ link_id }) => link_id))];
  const projects = await query<{ id: string; team_id: string }>(
    'SELECT id, team_id FROM projects WHERE id IN (:projectIds)',
    { projectIds },
    transaction,
  );
  return {
    teams: new Map(projects.map(({ id, team_id }) => [id, team_id])),
    links: await readClickedLinks(projectIds, linkIds, transaction),
  };
}
