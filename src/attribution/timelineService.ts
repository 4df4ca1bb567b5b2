import { matchOf } from '../models/match.ts';
import { newestEvents, type TimelineEvent } from './appEventsStore.ts';
import type { InstallKey, NewestRow } from './newestOfEach.ts';
import { installKey } from './Opening.ts';
import { newestOpens, storedAnswer, type TimelineOpen } from './opensStore.ts';

/** Whether an app was opened for the first time, for the first time after it was installed again, or once more. */
export type OpenKind = TimelineOpen['kind'];

export type ShownOpen = ReturnType<typeof shownOpen>;
export type ShownEvent = ReturnType<typeof shownEvent>;

/** The newest openings of each of up to 100 installs that the caller may read, newest first. */
export async function opensOfInstalls(installs: readonly InstallKey[], limit: number): Promise<ShownOpen[][]> {
  return rowsOfEach(installs, await newestOpens(distinct(installs), limit)).map((rows) => rows.map(shownOpen));
}

/** The newest events of each of up to 100 installs that the caller may read, newest first. */
export async function eventsOfInstalls(installs: readonly InstallKey[], limit: number): Promise<ShownEvent[][]> {
  return rowsOfEach(installs, await newestEvents(distinct(installs), limit)).map((rows) => rows.map(shownEvent));
}

function distinct(installs: readonly InstallKey[]): InstallKey[] {
  return [...new Map(installs.map((install) => [installKey(install), install])).values()];
}

function rowsOfEach<Row extends NewestRow>(installs: readonly InstallKey[], rows: readonly Row[]): Row[][] {
  const groups = Map.groupBy(rows, ({ project_id, install_id }) =>
    installKey({ projectId: project_id, installId: install_id }),
  );
  return installs.map((install) => (groups.get(installKey(install)) ?? []).sort(newestFirst));
}

function newestFirst(one: NewestRow, other: NewestRow): number {
  const later = new Date(other.occurred_at).getTime() - new Date(one.occurred_at).getTime();
  return later || (one.id < other.id ? 1 : -1);
}

function shownOpen(row: TimelineOpen) {
  const { id, kind, click_id: clickId, app_version: appVersion, country } = row;
  const { linkId, ...match } = storedAnswer(row);
  const occurredAt = new Date(row.occurred_at);
  return { id, kind, occurredAt, match: matchOf(match), clickId, linkId, appVersion, country };
}

function shownEvent(row: TimelineEvent) {
  const { event_id: id, name, value, currency, properties } = row;
  const parsed = typeof properties === 'string' ? (JSON.parse(properties) as Record<string, unknown>) : properties;
  const occurredAt = new Date(row.occurred_at);
  return { id, name, occurredAt, value, currency, properties: parsed, isOutlier: Boolean(row.outlier) };
}
