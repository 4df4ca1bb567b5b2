import { sqlTime, withJsonRows } from '../../../src/db/jsonRows.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { firstIdAt } from '../../../src/kernel/ids.ts';

/** Rows of one moment, and moments of one statement. */
const A_MOMENT = 100;
const MOMENTS = 100;
const DAY_MS = 86_400_000;
const NUMBERS = `(${Array.from({ length: A_MOMENT }, (_, i) => `SELECT ${i} AS i`).join(' UNION ALL ')}) AS numbers`;
/** The id of a row: what firstIdAt begins with, and its number. */
const ID = `given.prefix || CAST(${10 ** 15} + given.number * ${A_MOMENT} + i AS TEXT)`;
const TEXT = 'x'.repeat(300);

/** Whose rows are made. */
export interface Owner {
  teamId: string;
  projectId: string;
  keyId: string;
  userId: string;
  webhookId: string;
}

interface Filling {
  table: string;
  /** Of so many, counted from the oldest; the other half is kept. */
  days: number;
  /** Rows for each hundred of the largest tables. */
  share: number;
  columns: string;
  values(owner: Owner): string;
}

/** Every table that is deleted from in great numbers. `given.at`: the time of the row. */
export const FILLINGS: Filling[] = [
  {
    table: 'events',
    days: 60,
    share: 100,
    columns: 'id, type, team_id, project_id, tag_ids, data, created_at, fanned_out_at',
    values: ({ teamId, projectId }) =>
      `'evt_' || ${ID}, 'link.clicked', '${teamId}', '${projectId}', '[]', '{"text":"${TEXT}"}', at, at`,
  },
  {
    table: 'deliveries',
    days: 60,
    share: 100,
    columns:
      'id, webhook_id, project_id, event_id, event_type, event_at, status, attempt_count, request_body, created_at, updated_at',
    values: ({ webhookId, projectId }) =>
      `'dlv_' || ${ID}, '${webhookId}', '${projectId}', 'evt_' || ${ID}, 'link.clicked', at, 'succeeded', 1, '${TEXT}', at, at`,
  },
  {
    table: 'attempts',
    days: 60,
    share: 100,
    columns: 'id, delivery_id, number, at, duration_ms, status_code, response_body',
    values: () => `'att_' || ${ID}, 'dlv_' || ${ID}, 1, at, 20, 200, 'ok'`,
  },
  {
    table: 'audit_entries',
    days: 730,
    share: 100,
    columns: 'id, team_id, project_id, actor_kind, actor_id, action, subject_id, subject_name, details, created_at',
    values: ({ teamId, projectId, keyId }) =>
      `'aud_' || ${ID}, '${teamId}', '${projectId}', 'key', '${keyId}', 'link.created', 'lnk_' || ${ID}, 'a name', '{}', at`,
  },
  {
    table: 'clicks',
    days: 800,
    share: 100,
    columns:
      'id, project_id, link_id, domain, slug, occurred_at, traffic_class, platform, device, visitor, address_hash',
    values: ({ projectId }) =>
      `'clk_' || ${ID}, '${projectId}', 'lnk_bench', 'go.example.com', 'slug', at, 'human', 'ios', 'mobile', 'visitor', 'hash'`,
  },
  {
    table: 'mails',
    days: 60,
    share: 10,
    columns: 'id, kind, reference, address, status, created_at, updated_at',
    values: () => `'mail_' || ${ID}, 'bench', 'bench ' || ${ID}, 'a@example.com', 'sent', at, at`,
  },
  {
    table: 'health_history',
    days: 60,
    share: 10,
    columns: 'id, project_id, name, status, message, since, until',
    values: ({ projectId }) => `'hlt_' || ${ID}, '${projectId}', 'bench', 'pass', 'Fine.', at, at`,
  },
  // These two have no setting that keeps them until the measurement begins: see `endHalf`.
  {
    table: 'idempotency_records',
    days: -60,
    share: 10,
    columns: 'key_id, idempotency_key, fingerprint, claim, leased_until, expires_at, status, content_type, body',
    values: ({ keyId }) => `'${keyId}', ${ID}, 'bench', 'bench', at, at, 200, 'application/json', '${TEXT}'`,
  },
  {
    table: 'sessions',
    days: -60,
    share: 10,
    columns: 'token_hash, user_id, expires_at, created_at, updated_at',
    values: ({ userId }) => `'bench ' || ${ID}, '${userId}', at, at, at`,
  },
];

/** Fills each table with rows from so many days ago (or for negative ones: ahead) until now. */
export async function fillTables(owner: Owner, rows: number): Promise<void> {
  const nowMs = Date.now();
  for (const { table, days, share, columns, values } of FILLINGS) {
    const moments = Math.ceil((rows * share) / 100 / A_MOMENT);
    const step = (days * DAY_MS) / moments;
    const sql = `INSERT INTO ${table} (${columns}) SELECT ${values(owner)} FROM given CROSS JOIN ${NUMBERS}`;
    for (let from = 0; from < moments; from += MOMENTS) {
      const given = Array.from({ length: Math.min(MOMENTS, moments - from) }, (_, more) => {
        const at = nowMs - (moments - from - more) * step + (days < 0 ? 3_600_000 : -3_600_000);
        return [firstIdAt('evt', at).slice(4, 14), from + more, sqlTime(at)];
      });
      const types = { prefix: 'text', number: 'integer', at: 'time' } as const;
      await inTransaction((transaction) => withJsonRows(types, given, sql, transaction));
    }
  }
}

/** Lets half of what has a moment of its own at which it ends have ended. */
export async function endHalf(): Promise<void> {
  const middle = sqlTime(Date.now() + 30 * DAY_MS);
  const past = sqlTime(Date.now() - DAY_MS);
  for (const table of ['idempotency_records', 'sessions']) {
    await inTransaction((transaction) =>
      queryRaw(`UPDATE ${table} SET expires_at = $1 WHERE expires_at < $2`, [past, middle], transaction),
    );
  }
}

/** How many rows each table has. */
export async function countRows(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { table } of FILLINGS) {
    const [row] = await queryRaw<{ count: number | string }>(`SELECT COUNT(*) AS count FROM ${table}`, []);
    counts[table] = Number(row?.count);
  }
  return counts;
}
