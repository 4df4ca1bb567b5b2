import { among, amongValue } from '../db/among.ts';
import { lockNames } from '../db/lockNames.ts';
import { readModels } from '../db/readModels.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { together } from '../db/together.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { DAY_MS } from '../kernel/durations.ts';
import { newId, toUuid } from '../kernel/ids.ts';
import { Install } from '../models/Install.ts';
import type { Place } from '../redirect/places.ts';
import { type AppEventRow, insertAppEvents } from './appEvents.ts';
import { countedNames } from './eventNames.ts';
import { installKey } from './Opening.ts';

/** What an app reported at once. */
export interface Report {
  projectId: string;
  /** The UUID that the SDK made, in lower case. */
  installId: string;
  atMs: number;
  place: Place;
  events: ReportedEvent[];
}

export interface ReportedEvent {
  /** Null: a repeat cannot be told. */
  id: string | null;
  name: string;
  occurredAt: number;
  value: number | null;
  currency: string | null;
  properties: Record<string, unknown> | null;
}

export interface Taken {
  accepted: number;
  duplicates: number;
}

/** Writes down what apps report, with the link that their install came by; what comes together shares a transaction. */
export const recordAppEvents = together<Report, Taken>(async (reports, transaction) => {
  // Whoever deletes an install must not be overtaken by its events.
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

async function installsOf(reports: Report[], transaction: Transaction): Promise<Map<string, Install>> {
  const byProject = Map.groupBy(reports, ({ projectId }) => projectId);
  const found: Install[] = [];
  for (const [projectId, ofProject] of byProject) {
    const ids = amongValue([...new Set(ofProject.map(({ installId }) => installId))]);
    const condition = `project_id = $1 AND ${among('install_id', '$2')}`;
    found.push(...(await readModels(Install, condition, [projectId, ids], { transaction, select: selectBound })));
  }
  return new Map(found.map((install) => [installKey(install), install]));
}

function rowsOf(
  { projectId, installId, atMs, place, events }: Report,
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
