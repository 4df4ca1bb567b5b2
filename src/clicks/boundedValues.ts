import { LRUCache } from 'lru-cache';
import { dayOf } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import type { Click } from './click.ts';

/** The value of clicks whose own one came after the day's limit of distinct values was reached. */
export const OTHER_VALUES = 'other';

/** Dimensions that visitors can fill as they like. All others come from fixed lists or from the team's own links. */
const FREE_FIELDS = ['referrerHost', 'language'] as const satisfies (keyof Click)[];

/** Most values of all projects and days together, about 40 MB. Beyond it the values of the least recently used day are forgotten. */
const MOST_VALUES = 200_000;

/** Values by project, UTC day and field. */
const days = new LRUCache<string, Set<string>>({ max: 10_000, dispose: (values) => forget(values) });
let remembered = 0;

/**
 * The click as it is stored. Of a project's referrers and languages of a day a process keeps the first ones up to
 * DISTINCT_VALUES_PER_DAY and replaces later ones by `other`. Made-up headers could otherwise create a group for every click.
 */
export function withBoundedValues(click: Click): Click {
  let bounded = click;
  for (const field of FREE_FIELDS) {
    const value = click[field];
    if (value !== null && !isWithinLimit(click, field, value)) bounded = { ...bounded, [field]: OTHER_VALUES };
  }
  return bounded;
}

function isWithinLimit({ projectId, occurredAt }: Click, field: string, value: string): boolean {
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
