import { LRUCache } from 'lru-cache';
import { config } from '../kernel/config.ts';
import { dayOf } from '../kernel/durations.ts';
import type { Click } from './click.ts';

/** What clicks are counted as whose value came after a day's last place was taken. */
export const OTHER_VALUES = 'other';

/** What visitors say as they like, and figures are grouped by. The rest comes from lists, or from the team's own links. */
const FREE = ['referrerHost', 'language'] as const satisfies (keyof Click)[];

/** Values of all projects and days together: some 40 MB. Beyond them the day that was met longest ago begins anew. */
const MOST_VALUES = 200_000;

/** Values by project, UTC day and field. */
const days = new LRUCache<string, Set<string>>({ max: 10_000, dispose: (values) => forget(values) });
let remembered = 0;

/**
 * The click as it is stored: of referrers and languages a process keeps so many of a project's day by name, those that come
 * first; later ones are `other`. Whoever clicks with made-up ones could otherwise make as many groups as there are clicks.
 */
export function withBoundedValues(click: Click): Click {
  let bounded = click;
  for (const field of FREE) {
    const value = click[field];
    if (value !== null && !hasPlace(click, field, value)) bounded = { ...bounded, [field]: OTHER_VALUES };
  }
  return bounded;
}

function hasPlace({ projectId, occurredAt }: Click, field: string, value: string): boolean {
  const key = `${projectId} ${dayOf(occurredAt)} ${field}`;
  const values = days.get(key) ?? new Set<string>();
  if (values.size === 0) days.set(key, values);
  if (values.has(value)) return true;
  if (values.size >= config.distinctValuesPerDay) return false;
  values.add(value);
  remembered += 1;
  while (remembered > MOST_VALUES && days.size > 1) days.pop();
  return true;
}

function forget(values: Set<string>): void {
  remembered -= values.size;
}
