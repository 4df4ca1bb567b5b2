import { selectBound } from './selectBound.ts';

/** Puts a value beside the statement that is being written, and gives what stands for it there. */
export type Bind = (value: unknown) => string;

/** Rows of a statement that is written together with its values, in whatever order its parts come. */
export async function selectWritten<Row extends object>(write: (bind: Bind) => string): Promise<Row[]> {
  const values: unknown[] = [];
  const sql = write((value) => `$${values.push(value)}`);
  return selectBound<Row>(sql, values);
}
