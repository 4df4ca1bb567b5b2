import { randomUUID } from 'node:crypto';
import { sqlTime, withJsonRows } from '../../src/db/jsonRows.ts';
import { inTransaction } from '../../src/db/transactions.ts';
import type { Origin } from '../../src/models/Install.ts';
import type { MatchMethod } from '../../src/models/match.ts';

/** A row of `opens` (by `kind`) or of `app_events` (by `name`). */
export interface AppRow {
  projectId: string;
  /** The install. */
  visitor: string;
  occurredAt: number;
  kind: 'install' | 'reinstall' | 'open' | null;
  name: string | null;
  /** What it is worth, times a thousand. */
  thousandths: bigint | null;
  currency: string | null;
  link: string | null;
  domain: string | null;
  slug: string | null;
  platform: string | null;
  device: string | null;
  appVersion: string | null;
  /** How an opening was traced back; `app_events` have none. */
  method: MatchMethod;
  language: string | null;
  country: string | null;
  region: string | null;
  city: string | null;
  origin: Origin | null;
}

export function plainRow(projectId: string, occurredAt: number, given: Partial<AppRow>): AppRow {
  const nothing = { kind: null, name: null, thousandths: null, currency: null, link: null, domain: null, slug: null };
  const where = { platform: 'ios', device: 'mobile', appVersion: null, language: null, country: null, region: null };
  const rest = { city: null, origin: null, method: 'none' } as const;
  return { projectId, visitor: 'an install', occurredAt, ...nothing, ...where, ...rest, ...given };
}

const COLUMNS = {
  id: 'text',
  project_id: 'text',
  install_id: 'text',
  occurred_at: 'time',
  link_id: 'text',
  domain: 'text',
  slug: 'text',
  platform: 'text',
  device: 'text',
  app_version: 'text',
  language: 'text',
  country: 'text',
  region: 'text',
  city: 'text',
  origin: 'json',
} as const;

const OPEN_COLUMNS = { ...COLUMNS, kind: 'text', factors: 'json', method: 'text' } as const;
const EVENT_COLUMNS = {
  ...COLUMNS,
  event_id: 'text',
  name: 'text',
  value: 'number',
  currency: 'text',
  received_at: 'time',
} as const;

/** Puts rows into their tables. */
export async function storeRows(rows: AppRow[]): Promise<void> {
  const put = async (table: string, columns: Parameters<typeof withJsonRows>[0], values: unknown[][]) => {
    const names = Object.keys(columns).join(', ');
    const sql = `INSERT INTO ${table} (${names}) SELECT ${names} FROM given`;
    await inTransaction((transaction) => withJsonRows(columns, values, sql, transaction));
  };
  const opens = rows.filter(({ kind }) => kind !== null);
  await put(
    'opens',
    OPEN_COLUMNS,
    opens.map((row) => [...valuesOfBoth(row), row.kind, [], row.method]),
  );
  const events = rows.filter(({ name }) => name !== null);
  await put(
    'app_events',
    EVENT_COLUMNS,
    events.map((row) => {
      const value = row.thousandths === null ? null : Number(row.thousandths) / 1000;
      return [...valuesOfBoth(row), randomUUID(), row.name, value, row.currency, sqlTime(row.occurredAt)];
    }),
  );
}

function valuesOfBoth(row: AppRow): unknown[] {
  const { link, domain, slug, platform, device, appVersion, language, country, region, city, origin } = row;
  const figures = [link, domain, slug, platform, device, appVersion, language, country, region, city, origin];
  return [randomUUID(), row.projectId, row.visitor, sqlTime(row.occurredAt), ...figures];
}
