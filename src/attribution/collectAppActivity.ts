import { dialect } from '../db/database.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { withJsonRows } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { TypedData } from '../events/EventData.ts';
import { PRESENTERS } from '../events/presenters.ts';
import { type NewEvent, recordEvents } from '../events/recordEvent.ts';
import { idOfUuid, sameUuid } from '../kernel/ids.ts';
import { type CollectedEvent, type CollectedOpen, eventFacts, installFacts, openFacts } from './collectedFacts.ts';
import { type LinksOfApps, readLinksOfApps } from './readLinksOfApps.ts';

/** Rows in one transaction: on SQLite every other write waits for it. */
const BATCH = 500;

/**
 * Makes events of what apps did since the last time, oldest first, and gives their number. A row and its event share a
 * UUID, so that collecting twice makes no second event; several processes may collect at once.
 */
export async function collectAppActivity(): Promise<number> {
  let collected = 0;
  for (const collect of [collectOpens, collectEvents]) {
    for (let batch = BATCH; batch === BATCH; collected += batch) batch = await inTransaction(collect);
  }
  return collected;
}

async function collectOpens(transaction: Transaction): Promise<number> {
  const opens = await selectBound<CollectedOpen>(
    `SELECT opens.id, opens.project_id, opens.install_id, opens.kind, opens.platform, opens.method, opens.confidence,
       opens.factors, opens.clicked_at, opens.click_id, opens.link_id, installs.id AS ins_id,
       opens.app_version, installs.os_version, installs.first_opened_at
     FROM (${uncollected('opens', 'occurred_at')}) AS opens
     JOIN installs ON installs.project_id = opens.project_id AND installs.install_id = opens.install_id
     ORDER BY opens.occurred_at, opens.id`,
    [true],
    transaction,
  );
  const links = await readLinksOfApps(opens, transaction);
  await recordEvents(
    transaction,
    opens.flatMap((open) => eventsOfOpen(open, links)),
    keepKnown,
  );
  return markCollected('opens', opens, transaction);
}

async function collectEvents(transaction: Transaction): Promise<number> {
  const events = await selectBound<CollectedEvent>(
    `SELECT id, project_id, install_id, event_id, name, occurred_at, value, currency, properties, outlier, link_id
     FROM (${uncollected('app_events', 'received_at')}) AS app_events ORDER BY received_at, id`,
    [true],
    transaction,
  );
  const links = await readLinksOfApps(events, transaction);
  await recordEvents(
    transaction,
    events.flatMap((event) => {
      const data = PRESENTERS['app.event'](eventFacts(event, links.linkOf(event)));
      return about(event, links, idOfUuid('evt', event.id), { type: 'app.event', data });
    }),
    keepKnown,
  );
  return markCollected('app_events', events, transaction);
}

const keepKnown = { keepsKnown: true };

function uncollected(table: string, time: string): string {
  const lock = dialect() === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : '';
  return `SELECT * FROM ${table} WHERE uncollected = $1 ORDER BY ${time}, id LIMIT ${BATCH} ${lock}`;
}

/** An install is told of once; an opening when a link led to it. */
function eventsOfOpen(open: CollectedOpen, links: LinksOfApps): NewEvent[] {
  const link = links.linkOf(open);
  const events: NewEvent[] = [];
  if (open.kind === 'install') {
    const data = PRESENTERS['app.installed'](installFacts(open, link));
    events.push(...about(open, links, sameUuid('evt', open.ins_id), { type: 'app.installed', data }));
  }
  if (open.method !== 'none') {
    const data = PRESENTERS['app.opened'](openFacts(open, link));
    events.push(...about(open, links, idOfUuid('evt', open.id), { type: 'app.opened', data }));
  }
  return events;
}

/** Whom an event concerns; nobody when the project was deleted. */
function about(
  row: { project_id: string; link_id: string | null },
  links: LinksOfApps,
  id: string,
  event: TypedData,
): NewEvent[] {
  const teamId = links.teamOf(row.project_id);
  if (teamId === undefined) return [];
  return [{ ...event, id, teamId, projectId: row.project_id, linkId: row.link_id, tagIds: links.tagIdsOf(row) }];
}

async function markCollected(table: string, rows: { id: string }[], transaction: Transaction): Promise<number> {
  await withJsonRows(
    { id: 'text' },
    rows.map(({ id }) => [id]),
    `UPDATE ${table} SET uncollected = false WHERE id IN (SELECT id FROM given)`,
    transaction,
  );
  return rows.length;
}
