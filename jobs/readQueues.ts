import type { Job } from './Job.ts';
import { DEAD_LETTERS } from './queues.ts';

/** The jobs of a queue, counted by state. */
export interface QueueState {
  queue: string;
  /** Jobs that could run now, and how long the oldest of them has been waiting. */
  waiting: number;
  oldestSeconds: number;
  /** Jobs for a later time: retries, and webhooks whose next delivery is not due yet. */
  later: number;
  active: number;
  /** Jobs whose retries all failed, with the error of the latest. */
  dead: number;
  lastError: string | null;
}

/** Runs a statement on the job store. */
export interface Statements {
  executeSql(text: string): Promise<{ rows: unknown[] }>;
}

/** The state of each queue of the table, in its order. */
export async function readQueues(table: readonly Job[], store: Statements): Promise<QueueState[]> {
  const [jobs, dead] = [
    (await store.executeSql(STATES)).rows as StateRow[],
    (await store.executeSql(DEAD)).rows as DeadRow[],
  ];
  const states = new Map(jobs.map((row) => [row.name, row]));
  const deaths = new Map(dead.map((row) => [row.name, row]));
  return table.map(({ queue }) => {
    const { waiting, later, active, oldest } = states.get(queue) ?? {};
    const death = deaths.get(queue);
    return {
      queue,
      waiting: Number(waiting ?? 0),
      oldestSeconds: Math.max(0, Number(oldest ?? 0)),
      later: Number(later ?? 0),
      active: Number(active ?? 0),
      dead: Number(death?.dead ?? 0),
      lastError: death?.error ?? null,
    };
  });
}

interface StateRow {
  name: string;
  waiting?: string | number;
  later?: string | number;
  active?: string | number;
  oldest?: string | number | null;
}

const STATES = `SELECT name,
    COUNT(*) FILTER (WHERE state < 'active' AND start_after <= now()) AS waiting,
    COUNT(*) FILTER (WHERE state < 'active' AND start_after > now()) AS later,
    COUNT(*) FILTER (WHERE state = 'active') AS active,
    EXTRACT(EPOCH FROM now() - MIN(start_after) FILTER (WHERE state < 'active')) AS oldest
  FROM pgboss.job WHERE state <= 'active' GROUP BY name`;

interface DeadRow {
  name: string;
  dead: string | number;
  error: string | null;
}

const DEAD = `SELECT source_name AS name, COUNT(*) AS dead,
    (ARRAY_AGG(source_output ->> 'message' ORDER BY created_on DESC))[1] AS error
  FROM pgboss.job WHERE name = '${DEAD_LETTERS}' GROUP BY source_name`;
