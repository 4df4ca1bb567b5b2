import { type Dialect, dialect } from './database.ts';

const LISTS: Record<Dialect, (values: string) => string> = {
  sqlite: (values) => `json_group_array(json_array(${values}))`,
  postgres: (values) => `CAST(COALESCE(json_agg(json_build_array(${values})), '[]') AS TEXT)`,
};

/**
 * SQL for all rows as one JSON text, a list of lists of `values` (expressions with commas between them): to make an object
 * of each row in the driver costs several times as much.
 */
export function jsonList(values: string): string {
  return LISTS[dialect()](values);
}
