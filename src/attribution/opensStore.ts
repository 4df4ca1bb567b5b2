import { deleteOldest } from '../db/deleteOldest.ts';
import { inList, inListValue } from '../db/dialects.ts';
import { insertInto, sqlTime, withJsonRows } from '../db/jsonRows.ts';
import type { ProjectTable } from '../db/projectRows.ts';
import { buildQuery, queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { firstIdAt, toUuid } from '../kernel/ids.ts';
import type { MatchFacts, MatchMethod } from '../models/match.ts';
import { DIMENSION_COLUMNS, type Dimensions, dimensionValues } from './dimensions.ts';
import type { InstallRow } from './installsStore.ts';
import { type InstallKey, type NewestRow, newestOfEach } from './newestOfEach.ts';

/** An opening as it is stored. `uncollected`: no event has been made of it yet. */
export interface StoredOpen extends MatchFacts, Dimensions {
  /** A UUID. */
  id: string;
  projectId: string;
  installId: string;
  kind: 'install' | 'reinstall' | 'open';
  occurredAt: number;
  clickId: string | null;
  uncollected: boolean;
}

const COLUMNS = {
  id: 'text',
  project_id: 'text',
  install_id: 'text',
  kind: 'text',
  direct: 'flag',
  occurred_at: 'time',
  method: 'text',
  confidence: 'integer',
  factors: 'json',
  clicked_at: 'time',
  click_id: 'text',
  ...DIMENSION_COLUMNS,
  uncollected: 'flag',
} as const;

const { uncollected: _, ...SHOWN } = COLUMNS;

/** What archives have of openings. */
export const ARCHIVED_OPENS: ProjectTable = { name: 'opens', columns: SHOWN };

export async function insertOpens(opens: readonly StoredOpen[], transaction: Transaction): Promise<void> {
  await insertInto('opens', COLUMNS, opens.map(valuesOf), { transaction });
}

function valuesOf(open: StoredOpen): unknown[] {
  const { id, projectId, installId, kind, method, occurredAt, confidence, factors, clickedAt, clickId } = open;
  return [
    ...[id, projectId, installId, kind, method === 'link', sqlTime(occurredAt)],
    ...[method, confidence, JSON.stringify(factors), clickedAt && sqlTime(clickedAt.getTime()), clickId],
    ...dimensionValues(open),
    open.uncollected,
  ];
}

/** The match that an opening was answered. */
export type StoredAnswer = MatchFacts & { linkId: string | null };

interface Row {
  id: string;
  method: MatchMethod;
  confidence: number;
  factors: string | MatchFacts['factors'];
  clicked_at: string | Date | null;
  link_id: string | null;
}

/** The answers to openings, by the openings' ids. */
export async function readAnswers(
  ids: readonly string[],
  transaction: Transaction,
): Promise<Map<string, StoredAnswer>> {
  if (ids.length === 0) return new Map();
  const rows = await queryRaw<Row>(
    `SELECT id, method, confidence, factors, clicked_at, link_id FROM opens WHERE ${inList('id', '$1')}`,
    [inListValue(ids)],
    transaction,
  );
  return new Map(rows.map((row) => [row.id, storedAnswer(row)]));
}

export function storedAnswer({ method, confidence, factors, clicked_at, link_id }: Row): StoredAnswer {
  const clickedAt = clicked_at === null ? null : new Date(clicked_at);
  const parsed = typeof factors === 'string' ? JSON.parse(factors) : factors;
  return { method, confidence, factors: parsed, clickedAt, linkId: link_id };
}

/** A row of `opens` as the timeline of an install shows it. On SQLite, JSON and times are text. */
export interface TimelineOpen extends Row, NewestRow {
  kind: StoredOpen['kind'];
  click_id: string | null;
  app_version: string | null;
  country: string | null;
}

/** The newest openings of each of these installs, in one statement. */
export function newestOpens(installs: readonly InstallKey[], limit: number): Promise<TimelineOpen[]> {
  const columns = 'kind, method, confidence, factors, clicked_at, click_id, link_id, app_version, country';
  return buildQuery((bind) => newestOfEach('opens', columns, installs, limit, bind));
}

/** Deletes up to `batch` old openings and as many old app events, whose ids contain their time. Returns whether there may be more. */
export async function purgeAppActivity(batch: number): Promise<boolean> {
  const before = toUuid(firstIdAt('evt', clock.now() - config.appEventRetentionDays * DAY_MS));
  const old = { where: 'id < $1 AND uncollected = $2', values: [before, false], oldestBy: 'id', batch };
  const opens = await deleteOldest({ ...old, table: 'opens' });
  const events = await deleteOldest({ ...old, table: 'app_events' });
  return Math.max(opens, events) === batch;
}

/** A revoked guess: another install presented the token of the guessed click. */
export interface Revision {
  /** The install without the guess. */
  install: InstallRow;
  /** The link of the guess. */
  linkId: string | null;
  attributedAt: Date | null;
}

const REVISION_COLUMNS = {
  project_id: 'text',
  install_id: 'text',
  link_id: 'text',
  since: 'time',
  factors: 'json',
} as const;

const CLEARED_ORIGIN = 'link_id = NULL, domain = NULL, slug = NULL, origin = NULL';

/** Removes guesses from the openings that they were made for, and from the app events since then. */
export async function writeRevisions(revisions: readonly Revision[], transaction: Transaction): Promise<void> {
  const rows = revisions.map(({ install: { projectId, installId, factors }, linkId, attributedAt }) => {
    return [projectId, installId, linkId, attributedAt && sqlTime(attributedAt.getTime()), JSON.stringify(factors)];
  });
  const update = (table: string, sets: string, where: string) =>
    withJsonRows(
      REVISION_COLUMNS,
      rows,
      `UPDATE ${table} SET ${sets} FROM given WHERE ${table}.project_id = given.project_id
         AND ${table}.install_id = given.install_id AND ${table}.link_id = given.link_id AND ${where}`,
      transaction,
    );
  const none = `method = 'none', confidence = 0, factors = given.factors, clicked_at = NULL, click_id = NULL`;
  await update('opens', `${none}, ${CLEARED_ORIGIN}`, "opens.method = 'probabilistic'");
  await update('app_events', CLEARED_ORIGIN, 'app_events.received_at >= given.since');
}
