import { insertInto } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { Direction, Incident } from './decide/Track.ts';

/** An incident of a project or of one of its links. */
export interface StoredIncident extends Incident {
  subjectId: string;
  /** There is an alert about it. */
  isNotified: boolean;
}

interface Row {
  subject_id: string;
  direction: Direction;
  from_hour: number;
  until_hour: number | null;
  is_usual: boolean | number;
  is_told: boolean | number;
}

/** Incidents of a project that began in or after an hour, and those that last. */
export async function readIncidents(projectId: string, sinceHour: number): Promise<StoredIncident[]> {
  const rows = await queryRaw<Row>(
    `SELECT subject_id, direction, from_hour, until_hour, is_usual, is_told FROM traffic_incidents
     WHERE project_id = $1 AND (from_hour >= $2 OR until_hour IS NULL) ORDER BY from_hour`,
    [projectId, sinceHour],
  );
  return rows.map((row) => ({
    subjectId: row.subject_id,
    direction: row.direction,
    fromHour: row.from_hour,
    untilHour: row.until_hour,
    isUsualNow: Boolean(row.is_usual),
    isNotified: Boolean(row.is_told),
  }));
}

export async function writeIncidents(
  projectId: string,
  incidents: readonly StoredIncident[],
  transaction: Transaction,
): Promise<void> {
  await insertInto(
    'traffic_incidents',
    {
      project_id: 'text',
      subject_id: 'text',
      direction: 'text',
      from_hour: 'integer',
      until_hour: 'integer',
      is_usual: 'flag',
      is_told: 'flag',
    },
    incidents.map((one) => [
      projectId,
      one.subjectId,
      one.direction,
      one.fromHour,
      one.untilHour,
      one.isUsualNow,
      one.isNotified,
    ]),
    {
      transaction,
      onConflict: `ON CONFLICT (project_id, subject_id, direction, from_hour)
        DO UPDATE SET until_hour = excluded.until_hour, is_usual = excluded.is_usual`,
    },
  );
}

/** Deletes days and incidents that are no longer looked back to. */
export async function forgetBefore(projectId: string, day: number, transaction: Transaction): Promise<void> {
  await queryRaw('DELETE FROM traffic_days WHERE project_id = $1 AND day < $2', [projectId, day], transaction);
  await queryRaw(
    'DELETE FROM traffic_incidents WHERE project_id = $1 AND until_hour < $2',
    [projectId, day * 24],
    transaction,
  );
}
