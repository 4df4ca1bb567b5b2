import type { Model, ModelStatic, Transaction } from 'sequelize';
import { mapSliced } from '../kernel/sliced.ts';
import { among, amongValue } from './among.ts';
import { dialect } from './database.ts';
import { selectBound, selectPrepared } from './selectBound.ts';

/**
 * Rows of a table by a condition with the parameters $1, $2, …, as models: for what every request asks, where finding
 * the words of `findAll` costs more than the answer. `beside` are expressions in SQL that give JSON, by the properties
 * that they become of a model.
 */
export async function readModels<Row extends Model>(
  model: ModelStatic<Row>,
  condition: string,
  values: readonly unknown[],
  { transaction, beside = {}, select = selectPrepared }: Options = {},
): Promise<Row[]> {
  const { columns, fields } = wordsFor(model);
  const more = Object.entries(beside).map(([name, sql]) => `, ${sql} AS "${name}"`);
  const sql = `SELECT ${fields}${more.join('')} FROM ${model.tableName} WHERE ${condition}`;
  const rows = await select<Stored>(sql, values, transaction);
  // Large rows take a millisecond each to parse.
  return mapSliced(rows, (row) =>
    Object.assign(modelOf(model, attributesOf(columns, row)), besideOf(row, Object.keys(beside))),
  );
}

interface Options {
  transaction?: Transaction;
  beside?: Record<string, string>;
  select?: typeof selectBound;
}

/** Models by their ids, in no order; those that there are. */
export function readByIds<Row extends Model>(
  model: ModelStatic<Row>,
  ids: readonly string[],
  transaction?: Transaction,
): Promise<Row[]> {
  if (ids.length === 0) return Promise.resolve([]);
  const options = { select: selectBound, ...(transaction ? { transaction } : {}) };
  return readModels(model, among('id', '$1'), [amongValue(ids)], options);
}

function besideOf(row: Stored, names: string[]): Stored {
  const parse = (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value);
  return Object.fromEntries(names.map((name) => [name, parse(row[name])]));
}

type Stored = Record<string, unknown>;

/** A model of what is in the store: as `build` of raw values, which looks at each of them several times. */
export function modelOf<Row extends Model>(model: ModelStatic<Row>, attributes: Record<string, unknown>): Row {
  return Object.assign(model.build(undefined, { isNewRecord: false, raw: true }), {
    dataValues: attributes,
    _previousDataValues: { ...attributes },
  });
}

function attributesOf(columns: Column[], row: Stored): Record<string, unknown> {
  const attributes: Record<string, unknown> = {};
  for (const { attribute, field, parse } of columns) {
    const value = row[field];
    attributes[attribute] = parse && value !== null ? parse(value) : value;
  }
  return attributes;
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
  fields: string;
}

function wordsFor(model: ModelStatic<Model>): Words {
  const words = known[dialect()].get(model);
  if (words) return words;
  const columns = Object.entries(model.getAttributes()).map(([attribute, { field = attribute, type }]) => ({
    attribute,
    field,
    parse: dialect() === 'sqlite' ? SQLITE_PARSERS[(type as { key?: string }).key ?? ''] : undefined,
  }));
  const made = { columns, fields: columns.map(({ field }) => field).join(', ') };
  known[dialect()].set(model, made);
  return made;
}
