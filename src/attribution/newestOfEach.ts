import type { Bind } from '../db/query.ts';

/** An install by the UUID that its SDK made. */
export interface InstallKey {
  projectId: string;
  installId: string;
}

/** The columns that such a row has of either table. */
export interface NewestRow {
  /** A UUID. */
  id: string;
  project_id: string;
  install_id: string;
  occurred_at: string | Date;
}

/** SQL for the newest rows of each of these installs, at least one and at most 100; each costs a look-up in an index. */
export function newestOfEach(
  table: 'opens' | 'app_events',
  columns: string,
  installs: readonly InstallKey[],
  limit: number,
  bind: Bind,
): string {
  const parts = installs.map(
    ({
      projectId,
      installId,
    }) => `SELECT * FROM (SELECT id, project_id, install_id, occurred_at, ${columns} FROM ${table}
      WHERE project_id = ${bind(projectId)} AND install_id = ${bind(installId)}
      ORDER BY occurred_at DESC, id DESC LIMIT ${limit}) AS part`,
  );
  return parts.join(' UNION ALL ');
}
