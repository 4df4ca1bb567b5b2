import { dayOf } from '../kernel/clock.ts';

/** Rows that belong to a project or team, and how a batch of them is found. */
export interface OwnedRows {
  table: string;
  /** SQL over its columns; $1 is the id of the project or team, further parameters are `more`. */
  where: string;
  /** The columns of the index that finds them, after those of `where`. */
  by: string;
  more?: (owner: Owner) => unknown[];
  /** The most rows of one batch, where a row is large. */
  most?: number;
}

/** A project with the team that its audit entries name, or a team. */
export interface Owner {
  id: string;
  teamId: string;
}

/** Entries of a project that outlive it. */
const KEPT_ENTRIES = ['project.deleted', 'project.restored', 'project.purged'];

/** The tree of `match_clicks` begins with the day, and has the last three; clocks may differ by a day. */
const recentDays = (nowMs: number) => Array.from({ length: 8 }, (_, at) => dayOf(nowMs) - 5 + at);

function own(table: string, by: string, more: Partial<OwnedRows> = {}): OwnedRows {
  return { table, where: 'project_id = $1', by, ...more };
}

const of = (column: string, table: string) => `${column} IN (SELECT id FROM ${table} WHERE project_id = $1)`;

/**
 * Everything of a project but its row and its domains, in the order of deletion: what refers to rows of others comes before
 * them, so that no deletion of one row takes thousands along. A test compares the list with the tables of the store.
 */
export function rowsOfProject(nowMs: number): OwnedRows[] {
  return [
    { table: 'idempotency_records', where: of('key_id', 'api_keys'), by: 'key_id, idempotency_key' },
    own('api_keys', 'created_at'),
    { table: 'import_rows', where: of('import_id', 'imports'), by: 'import_id, line, part' },
    { table: 'import_chunks', where: of('import_id', 'imports'), by: 'import_id, number', most: 20 },
    own('imports', 'created_at, id'),
    own('batched_events', 'delivery_id, event_id'),
    own('deliveries', 'created_at, id'),
    // Those from before the webhook was moved here from another project.
    { table: 'deliveries', where: of('webhook_id', 'webhooks'), by: 'webhook_id, created_at, id' },
    own('webhooks', 'created_at'),
    own('events', 'created_at, id'),
    own('awaited_clicks', 'project_id'),
    own('click_arrivals', 'quarter, id'),
    own('click_backlog', 'quarter'),
    own('click_blocks', 'from_quarter'),
    own('click_columns', 'name, from_quarter', { most: 50 }),
    own('click_totals', 'dimension, traffic_class, day', { most: 50 }),
    own('click_uncounted', 'day'),
    own('click_versions', 'project_id'),
    own('click_queue', 'purpose, id'),
    own('click_keys', 'dimension, number'),
    own('match_clicks', 'day, address_hash, click_id', {
      where: `day IN (${recentDays(nowMs).join(', ')}) AND project_id = $1`,
    }),
    own('click_devices', 'project_id'),
    own('used_clicks', 'install_id'),
    own('match_reports', 'install_id'),
    own('seen_installs', 'install_id'),
    own('opens', 'occurred_at, id'),
    own('app_events', 'occurred_at, id'),
    own('event_names', 'name'),
    own('installs', 'created_at, id'),
    own('clicks', 'occurred_at, id'),
    own('orphans', 'occurred_at, id'),
    own('health_checks', 'name'),
    own('health_history', 'since, id'),
    own('health_turns', 'project_id'),
    own('traffic_watches', 'project_id'),
    own('traffic_days', 'day'),
    own('traffic_incidents', 'subject_id, direction, from_hour'),
    own('alerts', 'created_at, id'),
    own('links', 'created_at, id'),
    own('tags', 'created_at, id'),
    own('audit_entries', 'created_at, id', {
      where: `project_id = $1 AND team_id = $2 AND action NOT IN (${KEPT_ENTRIES.map((name) => `'${name}'`).join(', ')})`,
      more: ({ teamId }) => [teamId],
    }),
  ];
}

const OF_TEAM = 'webhook_id IN (SELECT id FROM webhooks WHERE team_id = $1)';

/** Everything of a team without projects but its row and the names that it has released. */
export const ROWS_OF_TEAM: readonly OwnedRows[] = [
  // A sample for a team without projects is about one that never was.
  {
    table: 'events',
    where: `team_id = $1 AND id IN (SELECT event_id FROM deliveries WHERE is_test = true AND ${OF_TEAM})`,
    by: 'id',
  },
  { table: 'events', where: 'team_id = $1 AND project_id IS NULL', by: 'created_at, id' },
  { table: 'batched_events', where: `project_id IS NULL AND ${OF_TEAM}`, by: 'project_id, delivery_id, event_id' },
  { table: 'deliveries', where: OF_TEAM, by: 'webhook_id, created_at, id' },
  { table: 'webhooks', where: 'team_id = $1', by: 'team_id' },
  { table: 'alerts', where: 'team_id = $1', by: 'created_at, id' },
  { table: 'audit_entries', where: 'team_id = $1', by: 'created_at, id' },
  { table: 'invitations', where: 'team_id = $1', by: 'created_at, id' },
  { table: 'new_account_links', where: 'team_id = $1', by: 'minute' },
  { table: 'memberships', where: 'team_id = $1', by: 'user_id' },
];
