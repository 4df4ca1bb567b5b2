import { ofLiveProject } from '../access/notDeleted.ts';
import { rowLock } from '../db/dialects.ts';
import { withJsonRows } from '../db/jsonRows.ts';
import { query, queryRaw } from '../db/query.ts';
import { readRowsByIds } from '../db/rows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { PRESENTERS, type TypedData } from '../events/presenters.ts';
import { type NewEvent, recordEvents } from '../events/recordEvent.ts';
import { idOfUuid, sameUuid } from '../kernel/ids.ts';
import { Link } from '../models/Link.ts';
import { tagsOfLinks } from '../tags/linkTagStore.ts';
import { type CollectedEvent, type CollectedOpen, eventFacts, installFacts, openFacts } from './collectedFacts.ts';

/** Rows per transaction. On SQLite, every other write waits for it. */
const BATCH = 500;

/**
 * Records events for the openings and app events since the last run, oldest first. Returns the number of rows. A row and its
 * event share a UUID, so that collecting twice records one event; several processes may collect at once. Those of a deleted
 * project wait until it is restored.
 */
export async function collectAppActivity(): Promise<number> {
  let collected = 0;
  for (const collect of [collectOpens, collectEvents]) {
    for (let batch = BATCH; batch === BATCH; collected += batch) batch = await inTransaction(collect);
  }
  return collected;
}

async function collectOpens(transaction: Transaction): Promise<number> {
  const opens = await queryRaw<CollectedOpen>(
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
  const events = await queryRaw<CollectedEvent>(
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
      return eventsAbout(event, links, idOfUuid('evt', event.id), { type: 'app.event', data });
    }),
    keepKnown,
  );
  return markCollected('app_events', events, transaction);
}

const keepKnown = { keepsKnown: true };

function uncollected(table: string, time: string): string {
  return `SELECT * FROM ${table} WHERE uncollected = $1 AND ${ofLiveProject(`${table}.project_id`)} ORDER BY ${time}, id LIMIT ${BATCH}
    ${rowLock('FOR UPDATE SKIP LOCKED')}`;
}

/** `app.installed` once per install, and `app.opened` for every opening that a link led to. */
function eventsOfOpen(open: CollectedOpen, links: LinksOfApps): NewEvent[] {
  const link = links.linkOf(open);
  const events: NewEvent[] = [];
  if (open.kind === 'install') {
    const data = PRESENTERS['app.installed'](installFacts(open, link));
    events.push(...eventsAbout(open, links, sameUuid('evt', open.ins_id), { type: 'app.installed', data }));
  }
  if (open.method !== 'none') {
    const data = PRESENTERS['app.opened'](openFacts(open, link));
    events.push(...eventsAbout(open, links, idOfUuid('evt', open.id), { type: 'app.opened', data }));
  }
  return events;
}

/** No event if the project was deleted. */
function eventsAbout(
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

interface Row {
  project_id: string;
  link_id: string | null;
}

/** Links, tags and teams of collected rows. */
interface LinksOfApps {
  /** Null if the row has no link, or if the link was deleted. */
  linkOf(row: Row): Link | null;
  tagIdsOf(row: Row): string[];
  /** Undefined if the project was deleted. */
  teamOf(projectId: string): string | undefined;
}

async function readLinksOfApps(rows: readonly Row[], transaction: Transaction): Promise<LinksOfApps> {
  const linkIds = [...new Set(rows.flatMap(({ link_id }) => link_id ?? []))];
  const links = new Map((await readRowsByIds(Link, linkIds, transaction)).map((link) => [link.id, link]));
  const tags = await tagsOfLinks(linkIds, transaction);
  const projectIds = [...new Set(rows.map(({ project_id }) => project_id))];
  const projects =
    projectIds.length === 0
      ? []
      : await query<{ id: string; team_id: string }>(
          'SELECT id, team_id FROM projects WHERE id IN (:projectIds)',
          { projectIds },
          transaction,
        );
  const teams = new Map(projects.map(({ id, team_id }) => [id, team_id]));
  return {
    linkOf: ({ link_id }) => links.get(link_id ?? '') ?? null,
    tagIdsOf: ({ link_id }) => tags.get(link_id ?? '')?.map(({ id }) => id) ?? [],
    teamOf: (projectId) => teams.get(projectId),
  };
}
