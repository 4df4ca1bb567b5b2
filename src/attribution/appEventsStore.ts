import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { FIGURE_COLUMNS, type Figures, figureValues } from './figures.ts';

/** Something that an app reported, as it is stored. */
export interface AppEventRow extends Figures {
  /** A UUID. */
  id: string;
  projectId: string;
  installId: string;
  /** The app's own, or ours. */
  eventId: string;
  name: string;
  occurredAt: number;
  value: number | null;
  currency: string | null;
  properties: Record<string, unknown> | null;
  /** What it is counted as, where that is not its name. */
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
  ...FIGURE_COLUMNS,
  counted_as: 'text',
  received_at: 'time',
  uncollected: 'flag',
} as const;
const NAMES = Object.keys(COLUMNS).join(', ');

/** Whether a value is beyond what its project takes for real: whoever has the key that is in every app can send any. */
const OUTLIER = `COALESCE(ABS(value) > (SELECT max_event_value FROM projects WHERE projects.id = given.project_id), false)`;

/** Inserts events, and gives the ids of those that their install had not sent before. */
export async function insertAppEvents(events: readonly AppEventRow[], transaction: Transaction): Promise<Set<string>> {
  const rows = events.map((event) => [
    ...[event.id, event.projectId, event.installId, event.eventId, event.name, sqlTime(event.occurredAt)],
    ...[event.value, event.currency, event.properties && JSON.stringify(event.properties)],
    ...figureValues(event),
    event.countedAs,
    sqlTime(event.receivedAt),
    true,
  ]);
  const added = await withJsonRows<{ id: string }>(
    COLUMNS,
    rows,
    `INSERT INTO app_events (${NAMES}, outlier) SELECT ${NAMES}, ${OUTLIER} FROM given WHERE true
     ON CONFLICT (project_id, install_id, event_id) DO NOTHING RETURNING id`,
    transaction,
  );
  return new Set(added.map(({ id }) => id));
}
