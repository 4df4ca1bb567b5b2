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

/** The values of the days of projects that this process has seen. */
class DistinctValues {
  #count = 0;
  /** By project, UTC day and field. */
  readonly #days = new LRUCache<string, Set<string>>({
    max: 10_000,
    dispose: (values) => {
      this.#count -= values.size;
    },
  });

  /** Whether the value is one of the first of its day, which it becomes if there is room. */
  has({ projectId, occurredAt }: Click, field: string, value: string): boolean {
    const key = `${projectId} ${dayOf(occurredAt)} ${field}`;
    const values = this.#days.get(key) ?? new Set<string>();
    if (values.size === 0) this.#days.set(key, values);
    if (values.has(value)) return true;
    if (values.size >= config.distinctValuesPerDay) return false;
    values.add(value);
    this.#count += 1;
    while (this.#count > MOST_VALUES && this.#days.size > 1) this.#days.pop();
    return true;
  }
}

const known = new DistinctValues();

/**
 * The click as it is stored. Of a project's referrers and languages of a day a process keeps the first ones up to
 * DISTINCT_VALUES_PER_DAY and replaces later ones by `other`. Made-up headers could otherwise create a group for every click.
 */
export function withBoundedValues(click: Click): Click {
  let bounded = click;
  for (const field of FREE_FIELDS) {
    const value = click[field];
    if (value !== null && !known.has(click, field, value)) bounded = { ...bounded, [field]: OTHER_VALUES };
  }
  return bounded;
}
