import { DAY_MS, dayOf } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { firstIdAt, type IdPrefix, timeOfId } from '../../kernel/ids.ts';

/**
 * A table that PostgreSQL keeps in partitions by time, so that old rows go by dropping a table instead of row by row. SQLite
 * has no partitions.
 */
export interface PartitionedTable {
  name: string;
  /** The column by which rows find their partition. Its values begin with their time. */
  key: string;
  /** The prefix of the ids in that column; null: it has UTC days since the epoch. */
  prefix: IdPrefix | null;
  /** Days of rows in one partition. */
  days(): number;
  /** The table with the rows that those of this table belong to, by `key`. They go together. */
  partOf?: string;
  /** What the table needs before it can have partitions. */
  reshape?: Reshape;
}

interface Reshape {
  /** Indexes that are made CONCURRENTLY. */
  indexes?: readonly { name: string; on: string }[];
  /** Statements under a lock of the table, harmless when they run again. */
  statements: readonly string[];
}

/** An eighth of the retention: rows stay longer by that at most, and a query has some ten partitions to look at. */
function eighthOf(days: number): number {
  return Math.max(1, Math.round(days / 8));
}

/** Days for which events are kept: deliveries are rendered from them. */
export function eventDays(): number {
  return Math.max(config.eventRetentionDays, config.deliveryRetentionDays);
}

/** Tables in the order in which they get partitions. Ids of deliveries begin with the time of their event. */
export const PARTITIONED: readonly PartitionedTable[] = [
  { name: 'clicks', key: 'id', prefix: 'clk', days: () => eighthOf(config.clickRetentionDays) },
  { name: 'match_clicks', key: 'day', prefix: null, days: () => 1 },
  { name: 'events', key: 'id', prefix: 'evt', days: () => eighthOf(eventDays()) },
  {
    name: 'attempts',
    key: 'delivery_id',
    prefix: 'dlv',
    days: () => eighthOf(config.deliveryRetentionDays),
    partOf: 'deliveries',
    reshape: {
      // Nobody looks for an attempt by its id. A reference would have each dropped partition looked through.
      statements: [
        'ALTER TABLE attempts DROP CONSTRAINT IF EXISTS attempts_delivery_id_fkey',
        `DO $$ BEGIN
           IF to_regclass('attempts_delivery_id_number') IS NOT NULL THEN
             ALTER TABLE attempts DROP CONSTRAINT attempts_pkey;
             ALTER TABLE attempts ADD CONSTRAINT attempts_pkey PRIMARY KEY USING INDEX attempts_delivery_id_number;
           END IF;
         END $$`,
      ],
    },
  },
  {
    name: 'deliveries',
    key: 'id',
    prefix: 'dlv',
    days: () => eighthOf(config.deliveryRetentionDays),
    reshape: {
      // The id follows from the event and the webhook, and is unique.
      indexes: [{ name: 'deliveries_of_event', on: 'deliveries (event_id, webhook_id)' }],
      statements: ['DROP INDEX IF EXISTS deliveries_event_id_webhook_id'],
    },
  },
];

/** The row of a table that can have partitions. */
export function partitioned(name: string): PartitionedTable {
  const table = PARTITIONED.find((row) => row.name === name);
  if (!table) throw new Error(`The table ${name} has no partitions`);
  return table;
}

/** The tables with rows that belong to rows of this one, and the columns with their ids. */
export function partsOf(name: string): { table: string; column: string }[] {
  return PARTITIONED.filter(({ partOf }) => partOf === name).map((part) => ({ table: part.name, column: part.key }));
}

/** The bound of partitions at a moment, as SQL: everything before it sorts below. */
export function boundAt({ prefix }: Pick<PartitionedTable, 'prefix'>, epochMs: number): string {
  return prefix === null ? String(dayOf(epochMs)) : `'${firstIdAt(prefix, epochMs)}'`;
}

/** The moment of a bound as PostgreSQL prints it, in milliseconds; null: there is none on that side. */
export function timeOfBound({ prefix }: Pick<PartitionedTable, 'prefix'>, printed: string): number | null {
  if (printed === 'MINVALUE' || printed === 'MAXVALUE') return null;
  return prefix === null ? Number(printed) * DAY_MS : timeOfId(printed.replaceAll("'", ''));
}
