import type { Model, ModelStatic, Transaction } from 'sequelize';
import { dialect } from './database.ts';
import { selectBound } from './selectBound.ts';

/**
 * Rows of a table by a condition with the parameters $1, $2, …, as models: for what every request asks, where finding
 * the words of `findAll` costs more than the answer.
 */
export async function readModels<Row extends Model>(
  model: ModelStatic<Row>,
  condition: string,
  values: readonly unknown[],
  transaction?: Transaction,
): Promise<Row[]> {
  const { columns, sql } = wordsFor(model);
  const rows = await selectBound<Record<string, unknown>>(`${sql} WHERE ${condition}`, values, transaction);
  return rows.map((row) => {
    const read: Record<string, unknown> = {};
    for (const { attribute, field, parse } of columns) {
      const value = row[field];
      read[attribute] = parse && value !== null ? parse(value) : value;
    }
    return model.build(read as never, { isNewRecord: false, raw: true });
  });
}

interface Column {
  attribute: string;
  field: string;
  /** From what the driver gives; undefined: as it is. */
  parse: ((value: unknown) => unknown) | undefined;
}

/** SQLite has neither moments nor flags nor JSON. */
const SQLITE_PARSERS: Record<string, (value: unknown) => unknown> = {
  DATE: (value) => new Date(value as string),
  BOOLEAN: (value) => value === 1,
  JSON: (value) => JSON.parse(value as string),
};

const known = { sqlite: new WeakMap<object, Words>(), postgres: new WeakMap<object, Words>() };

interface Words {
  columns: Column[];
  sql: string;
}

function wordsFor(model: ModelStatic<Model>): Words {
  const words = known[dialect()].get(model);
  if (words) return words;
  const columns = Object.entries(model.getAttributes()).map(([attribute, { field = attribute, type }]) => ({
    attribute,
    field,
    parse: dialect() === 'sqlite' ? SQLITE_PARSERS[(type as { key?: string }).key ?? ''] : undefined,
  }));
  const made = { columns, sql: `SELECT ${columns.map(({ field }) => field).join(', ')} FROM ${model.tableName}` };
  known[dialect()].set(model, made);
  return made;
}
