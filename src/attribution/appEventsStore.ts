import { insertInto, sqlTime } from '../db/jsonRows.ts';
import type { ProjectTable } from '../db/projectRows.ts';
import { buildQuery } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { DIMENSION_COLUMNS, type Dimensions, dimensionValues } from './dimensions.ts';
import { type InstallKey, type NewestRow, newestOfEach } from './newestOfEach.ts';

/** An app event as it is stored. */
export interface AppEventRow extends Dimensions {
  /** A UUID. */
  id: string;
  projectId: string;
  installId: string;
  /** The app's own id, or `id` if it sent none. */
  eventId: string;
  name: string;
  occurredAt: number;
  value: number | null;
  currency: string | null;
  properties: Record<string, unknown> | null;
  /** What analytics counts the event as, if not as its name. */
  countedAs: string | null;
  receivedAt: number;
}

const COLUMNS = {
  id: 'text',
  project_id: 'text',
  install_id: 'text',
  event_id: 'text',
  name: 'text',
  occurred_at: 'time',
  value: 'number',
  currency: 'text',
  properties: 'json',
  ...DIMENSION_COLUMNS,
  counted_as: 'text',
  received_at: 'time',
  uncollected: 'flag',
} as const;

const { uncollected: _, ...SHOWN } = COLUMNS;

/** What archives have of app events. */
export const ARCHIVED_APP_EVENTS: ProjectTable = { name: 'app_events', columns: { ...SHOWN, outlier: 'flag' } };

/** Marks values above the project's limit: anybody who has the publishable key can send any value. */
const OUTLIER = `COALESCE(ABS(value) > (SELECT max_event_value FROM projects WHERE projects.id = given.project_id), false)`;

/** Inserts app events. Returns the ids of those that their install had not sent before. */
export async function insertAppEvents(events: readonly AppEventRow[], transaction: Transaction): Promise<Set<string>> {
  const rows = events.map((event) => [
    ...[event.id, event.projectId, event.installId, event.eventId, event.name, sqlTime(event.occurredAt)],
    ...[event.value, event.currency, event.properties && JSON.stringify(event.properties)],
    ...dimensionValues(event),
    event.countedAs,
    sqlTime(event.receivedAt),
    true,
  ]);
  const added = await insertInto<{ id: string }>('app_events', COLUMNS, rows, {
    transaction,
    computed: { outlier: OUTLIER },
    onConflict: 'ON CONFLICT (project_id, install_id, event_id) DO NOTHING',
    returning: 'id',
  });
  return new Set(added.map(({ id }) => id));
}

/** A row of `app_events` as the timeline of an install shows it. On SQLite, JSON and times are text, and flags numbers. */
export interface TimelineEvent extends NewestRow {
  event_id: string;
  name: string;
  value: number | null;
  currency: string | null;
  properties: string | Record<string, unknown> | null;
  outlier: boolean | number;
}

/** The newest events of each of these installs, in one statement. */
export function newestEvents(installs: readonly InstallKey[], limit: number): Promise<TimelineEvent[]> {
  const columns = 'event_id, name, value, currency, properties, outlier';
  return buildQuery((bind) => newestOfEach('app_events', columns, installs, limit, bind));
}
