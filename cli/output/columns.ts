/**
 * The columns of lists, by resource: what people look for first, so that it stays where the terminal is narrow. A resource without a
 * row has its first fields.
 */
const COLUMNS: Record<string, string[]> = {
  links: ['short_url', 'destination', 'status', 'clicks', 'tags', 'created_at', 'id'],
  webhooks: ['id', 'url', 'status', 'circuit', 'event_types', 'created_at'],
  deliveries: ['id', 'event_type', 'status', 'attempt_count', 'next_attempt_at', 'created_at', 'event_id'],
  tags: ['name', 'color', 'id', 'created_at'],
  domains: ['hostname', 'kind', 'status', 'problem', 'checked_at', 'id'],
  events: ['id', 'type', 'created_at'],
  keys: ['id', 'name', 'kind', 'last_four', 'scopes', 'last_used_at', 'expires_at'],
  alerts: ['id', 'kind', 'status', 'title', 'opened_at', 'last_seen_at'],
  imports: ['id', 'status', 'source_format', 'counts.rows', 'counts.created', 'counts.failed', 'created_at'],
  installs: ['id', 'platform', 'match_method', 'link_id', 'created_at'],
  projects: ['id', 'name', 'default_domain', 'health', 'created_at'],
};
const MOST = 6;

/** The columns of a list of this resource whose rows have these fields. */
export function columnsOf(resource: string, fields: string[]): string[] {
  const known = COLUMNS[resource]?.filter((column) => fields.includes(column.split('.')[0] ?? ''));
  return known ?? fields.filter((field) => field !== 'project_id').slice(0, MOST);
}
