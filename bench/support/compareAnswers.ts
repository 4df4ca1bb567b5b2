import type { DuckAnswer, Figures } from './askDuck.ts';

/** An answer of `GET /analytics`. */
export interface ApiAnswer {
  group_by: string;
  start: string;
  end: string;
  granularity: string | null;
  total: Figures;
  data: (Figures & { key: string | null })[];
  others: Figures | null;
}

/** What differs, a sentence each. `exact` has all rows, also those beyond the limit of `answer`. */
export function differences(answer: ApiAnswer, exact: DuckAnswer): string[] {
  const found: string[] = [];
  const same = (what: string, ours: Figures | undefined, theirs: Figures | undefined) => {
    const [a, b] = [ours ?? NONE, theirs ?? NONE];
    if (a.count !== b.count || a.unique !== b.unique) found.push(`${what}: ${shown(a)}, DuckDB ${shown(b)}`);
  };
  same('total', answer.total, exact.total);
  if (answer.group_by === 'none') return found;
  for (const row of answer.data) {
    const key = answer.group_by === 'time' && row.key !== null ? Date.parse(row.key) : row.key;
    same(`key ${row.key}`, row, exact.rows.get(key));
  }
  // Keys with equal counts may be cut off in another order; their counts are the same.
  const counts = [...exact.rows.values()].map(({ count }) => count).sort((one, other) => other - one);
  const ours = answer.data.map(({ count }) => count).filter((count) => count > 0);
  if (answer.group_by === 'time' || !answer.others) {
    if (ours.length !== counts.length) found.push(`${ours.length} keys, DuckDB ${counts.length}`);
  } else {
    if (ours.some((count, at) => count !== counts[at])) found.push('not the most clicked keys');
    same('others', answer.others, rest(answer, exact));
  }
  return found;
}

const NONE: Figures = { count: 0, unique: 0 };

function rest(answer: ApiAnswer, { rows }: DuckAnswer): Figures {
  const listed = new Set(answer.data.map(({ key }) => key));
  const sum = { ...NONE };
  for (const [key, { count, unique }] of rows) {
    if (listed.has(key as string | null)) continue;
    sum.count += count;
    sum.unique += unique;
  }
  return sum;
}

function shown({ count, unique }: Figures): string {
  return `${count} clicks by ${unique}`;
}
