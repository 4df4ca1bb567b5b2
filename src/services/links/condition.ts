import { dialect } from '../../db/database.ts';
import type { Bind } from '../../db/selectWritten.ts';

/** What links must satisfy, as SQL over `links`, and where those that do are found. */
export interface Condition {
  test(bind: Bind): string;
  /** None: it holds for too many to be looked up. */
  source?: Source;
}

/** A look-up that gives every link a condition holds for, in any order, and maybe others. */
export interface Source {
  /** After FROM. On SQLite, which keeps no statistics here, it also says which index is read. */
  from: string;
  where(bind: Bind): string;
  /** The look-up without the links, after FROM, for counting what it gives; null: counting is as dear as reading. */
  entries: ((bind: Bind) => string) | null;
  /** It gives no others. */
  isExact: boolean;
  /** It is an index that has them in order of creation. */
  isByCreation: boolean;
}

/** The links of an index of `links` that begins with the project; `where` are its next columns or its own condition. */
export function indexSource(
  projectId: string,
  index: string,
  where: (bind: Bind) => string,
  { isExact = true, isByCreation = false } = {},
): Source {
  const from = dialect() === 'sqlite' ? `links INDEXED BY ${index}` : 'links';
  const within = (bind: Bind) => `project_id = ${bind(projectId)} AND ${where(bind)}`;
  return { from, where: within, entries: (bind) => `${from} WHERE ${within(bind)}`, isExact, isByCreation };
}
