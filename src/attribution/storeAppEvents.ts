import { inList, inListValue } from '../db/dialects.ts';
import { groupCommit } from '../db/groupCommit.ts';
import { queryRaw } from '../db/query.ts';
import { readRows } from '../db/rows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { lockNames } from '../db/transactions.ts';
import type { Place } from '../geo/geoip.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { newId, toUuid } from '../kernel/ids.ts';
import { Install } from '../models/Install.ts';
import { type AppEventRow, insertAppEvents } from './appEventsStore.ts';
import { countedNames } from './eventNamesStore.ts';
import { installKey } from './Opening.ts';

/** The events of one request. */
export interface AppEventReport {
  projectId: string;
  /** The UUID that the SDK generated, in lower case. */
  installId: string;
  atMs: number;
  place: Place;
  events: ReportedEvent[];
}

export interface ReportedEvent {
  /** Null if the app sent none; repeats cannot be recognized then. */
  id: string | null;
  name: string;
  occurredAt: number;
  value: number | null;
  currency: string | null;
  properties: Record<string, unknown> | null;
}

export interface EventCounts {
  accepted: number;
  duplicates: number;
}

/** Stores app events with the link that their install was attributed to. Simultaneous reports share a transaction. */
export const storeAppEvents = groupCommit<AppEventReport, EventCounts>(async (reports, transaction) => {
  // A deletion of the install must not be overtaken by its events.
  await lockNames(reports.map(installKey), transaction);
  const installs = await installsOf(reports, transaction);
  const named = reports.flatMap(({ projectId, events }) => events.map(({ name }) => ({ projectId, name })));
  const countedAs = await countedNames(named, clock.now(), transaction);
  const rows = reports.map((report) => rowsOf(report, installs.get(installKey(report)) ?? null, countedAs));
  const added = await insertAppEvents(rows.flat(), transaction);
  return rows.map((ofReport) => {
    const accepted = ofReport.filter(({ id }) => added.has(id)).length;
    return { accepted, duplicates: ofReport.length - accepted };
  });
});

async function installsOf(reports: AppEventReport[], transaction: Transaction): Promise<Map<string, Install>> {
  const byProject = Map.groupBy(reports, ({ projectId }) => projectId);
  const found: Install[] = [];
  for (const [projectId, ofProject] of byProject) {
    const ids = inListValue([...new Set(ofProject.map(({ installId }) => installId))]);
    const condition = `project_id = $1 AND ${inList('install_id', '$2')}`;
    found.push(...(await readRows(Install, condition, [projectId, ids], { transaction, select: queryRaw })));
  }
  return new Map(found.map((install) => [installKey(install), install]));
}

function rowsOf(
  { projectId, installId, atMs, place, events }: AppEventReport,
  install: Install | null,
  countedAs: (event: { projectId: string; name: string }) => string | null,
): AppEventRow[] {
  const isAttributed = install?.attributedAt && atMs - install.attributedAt.getTime() < config.attributionDays * DAY_MS;
  const { linkId = null, domain = null, slug = null, origin = null } = isAttributed ? (install as Install) : {};
  const { country, region, city } = place;
  return events.map(({ id, ...event }) => {
    const ownId = toUuid(newId('evt'));
    return {
      ...event,
      ...{ id: ownId, projectId, installId, eventId: id ?? ownId, receivedAt: atMs },
      countedAs: countedAs({ projectId, name: event.name }),
      ...{ linkId, domain, slug, origin, country, region, city },
      platform: install?.platform ?? null,
      device: install?.device ?? null,
      language: install?.language ?? null,
      appVersion: install?.appVersion ?? null,
    };
  });
}
