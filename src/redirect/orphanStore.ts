import { select } from '../db/database.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { type JsonColumn, sqlTime, withJsonRows } from '../db/jsonRows.ts';
import type { OrphanRow } from './OrphanTally.ts';

const COLUMNS: [name: string, kind: JsonColumn, value: (orphan: OrphanRow) => unknown][] = [
  ['id', 'text', ({ id }) => id],
  ['project_id', 'text', ({ projectId }) => projectId],
  ['domain', 'text', ({ domain }) => domain],
  ['slug', 'text', ({ slug }) => slug],
  ['occurred_at', 'time', ({ occurredAt }) => sqlTime(occurredAt)],
  ['traffic_class', 'text', ({ trafficClass }) => trafficClass],
  ['country', 'text', ({ country }) => country],
  ['region', 'text', ({ region }) => region],
  ['city', 'text', ({ city }) => city],
  ['platform', 'text', ({ platform }) => platform],
  ['device', 'text', ({ device }) => device],
  ['browser', 'text', ({ browser }) => browser],
  ['language', 'text', ({ language }) => language],
  ['referrer_host', 'text', ({ referrerHost }) => referrerHost],
  ['visitor', 'text', ({ visitor }) => visitor],
  ['count', 'integer', ({ count }) => count],
];

const KINDS = Object.fromEntries(COLUMNS.map(([name, kind]) => [name, kind]));
const NAMES = COLUMNS.map(([name]) => name).join(', ');

/**
 * Writes orphans; those that are written already stay as they are. The domain that all projects share counts for the
 * project of the first start, whose owner runs the installation.
 */
export function orphanInserter(): (orphans: readonly OrphanRow[]) => Promise<void> {
  let first: string | null = null;
  return async (orphans) => {
    if (orphans.length === 0) return;
    if (orphans.some(({ projectId }) => projectId === null)) first ??= await firstProject();
    const rows = orphans.flatMap((orphan) => {
      const projectId = orphan.projectId ?? first;
      return projectId === null ? [] : [COLUMNS.map(([, , value]) => value({ ...orphan, projectId }))];
    });
    const insert = `INSERT INTO orphans (${NAMES}) SELECT ${NAMES} FROM given WHERE true ON CONFLICT (id) DO NOTHING`;
    await inTransaction((transaction) => withJsonRows(KINDS, rows, insert, transaction));
  };
}

async function firstProject(): Promise<string | null> {
  const [project] = await select<{ id: string }>('SELECT id FROM projects ORDER BY created_at, id LIMIT 1');
  return project?.id ?? null;
}
