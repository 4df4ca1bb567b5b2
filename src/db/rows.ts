import type { Model, ModelAttributeColumnOptions, ModelStatic, Transaction } from 'sequelize';
import { now } from '../kernel/clock.ts';
import { mapYielding } from '../kernel/yield.ts';
import { dialect } from './connection/database.ts';
import { modelOfRow } from './connection/internals.ts';
import { type ColumnKind, inList, inListValue } from './dialects.ts';
import { type InsertOptions, insertInto, sqlTime, statementParts, withJsonRows } from './jsonRows.ts';
import { queryPrepared, queryRaw } from './query.ts';

/**
 * The models whose rows fulfil a condition with the parameters $1, $2, …. For the queries of every request, for which
 * `findAll` takes longer to build the SQL than the store takes to run it. `extraColumns` holds SQL expressions that return JSON,
 * by the property of the model that receives them.
 */
export async function readRows<Row extends Model>(
  model: ModelStatic<Row>,
  condition: string,
  values: readonly unknown[],
  { transaction, extraColumns = {}, select = queryPrepared }: Options = {},
): Promise<Row[]> {
  const { columns, fields } = describe(model);
  const more = Object.entries(extraColumns).map(([name, sql]) => `, ${sql} AS "${name}"`);
  const sql = `SELECT ${fields}${more.join('')} FROM ${model.tableName} WHERE ${condition}`;
  const rows = await select<Stored>(sql, values, transaction);
  // A large row takes a millisecond to parse.
  return mapYielding(rows, (row) =>
    Object.assign(modelOfRow(model, attributesOf(columns, row)), extraColumnsOf(row, Object.keys(extraColumns))),
  );
}

/** The columns of a model for a statement that is written by hand, whose rows `modelsOf` reads. */
export function columnsOf(model: ModelStatic<Model>): string {
  return describe(model).fields;
}

/** The models of rows with the columns of `columnsOf`. */
export function modelsOf<Row extends Model>(model: ModelStatic<Row>, rows: readonly Stored[]): Promise<Row[]> {
  const { columns } = describe(model);
  return mapYielding(rows, (row) => modelOfRow(model, attributesOf(columns, row)));
}

interface Options {
  transaction?: Transaction;
  extraColumns?: Record<string, string>;
  select?: typeof queryRaw;
}

/** The models with these ids that exist, in no particular order. */
export function readRowsByIds<Row extends Model>(
  model: ModelStatic<Row>,
  ids: readonly string[],
  transaction?: Transaction,
): Promise<Row[]> {
  if (ids.length === 0) return Promise.resolve([]);
  const options = { select: queryRaw, ...(transaction ? { transaction } : {}) };
  return readRows(model, inList('id', '$1'), [inListValue(ids)], options);
}

function extraColumnsOf(row: Stored, names: string[]): Stored {
  const parse = (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value);
  return Object.fromEntries(names.map((name) => [name, parse(row[name])]));
}

type Stored = Record<string, unknown>;

function attributesOf(columns: Column[], row: Stored): Record<string, unknown> {
  const attributes: Record<string, unknown> = {};
  for (const { attribute, field, parse } of columns) {
    const value = row[field];
    attributes[attribute] = parse && value !== null ? parse(value) : value;
  }
  return attributes;
}

/** A row by the attributes of its model. */
type Attributes = Record<string, unknown>;

/** A whole row: `values`, and for what they leave out the default of its column, or null. Timestamps are those of now. */
export function newRow<Values extends Attributes>(model: ModelStatic<Model>, values: Values): Values & Attributes {
  const row: Attributes = {};
  for (const { attribute, makeDefault } of describe(model).columns) {
    const value = values[attribute];
    row[attribute] = value === undefined ? makeDefault() : value;
  }
  return Object.assign(row, values);
}

/**
 * Inserts rows that are given by the attributes of a model, in statements small enough not to delay other queries; what a row leaves
 * out gets the default of its column. Returns what `returning` names.
 */
export async function insertRows<Returned extends object>(
  model: ModelStatic<Model>,
  rows: readonly Attributes[],
  options: InsertOptions = {},
): Promise<Returned[]> {
  const { columns, kinds } = describe(model);
  const values = await mapYielding(rows, (row) => columns.map((column) => written(column, row)));
  const returned: Returned[] = [];
  for (const part of statementParts(values)) {
    for (const row of await insertInto<Returned>(model.tableName, kinds, part, options)) returned.push(row);
  }
  return returned;
}

/** Inserts rows, or changes those that have the same `key` to these; attributes in `keeps` stay as they were stored. */
export async function upsertRows(
  model: ModelStatic<Model>,
  rows: readonly Attributes[],
  { key, keeps = [], transaction }: { key: string[]; keeps?: string[]; transaction: Transaction },
): Promise<void> {
  const { columns } = describe(model);
  const fieldsOf = (names: string[]) =>
    columns.filter(({ attribute }) => names.includes(attribute)).map(({ field }) => field);
  const unchanged = new Set(fieldsOf([...key, ...keeps, 'createdAt']));
  const sets = columns.filter(({ field }) => !unchanged.has(field)).map(({ field }) => `${field} = excluded.${field}`);
  const onConflict = `ON CONFLICT (${fieldsOf(key).join(', ')}) DO UPDATE SET ${sets.join(', ')}`;
  await insertRows(model, rows, { transaction, onConflict });
}

/** Changes rows by their ids: each to the attributes other than its `id`, which are the same for all, and all to `also`. */
export async function updateRows(
  model: ModelStatic<Model>,
  rows: readonly (Attributes & { id: string })[],
  also: Attributes,
  transaction: Transaction,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { columns } = describe(model);
  const given = columns.filter(({ attribute }) => attribute in first);
  const common = columns.filter(({ attribute }) => attribute in also);
  const sets = [
    ...given.filter(({ attribute }) => attribute !== 'id').map(({ field }) => `${field} = given.${field}`),
    ...common.map(({ field }, at) => `${field} = $${at + 2}`),
  ];
  await withJsonRows(
    Object.fromEntries(given.map(({ field, kind }) => [field, kind])),
    rows.map((row) => given.map((column) => written(column, row))),
    `UPDATE ${model.tableName} SET ${sets.join(', ')} FROM given WHERE ${model.tableName}.id = given.id`,
    transaction,
    common.map((column) => written(column, also)),
  );
}

interface Column {
  attribute: string;
  /** Its name in the store. */
  field: string;
  kind: ColumnKind;
  makeDefault: () => unknown;
  /** Converts the driver's value; undefined: it is used as it is. */
  parse: ((value: unknown) => unknown) | undefined;
}

/** A value as it travels to the store. JSON travels as text: as a value, PostgreSQL would put its keys into another order. */
function written({ attribute, kind, makeDefault }: Column, row: Attributes): unknown {
  const given = row[attribute];
  const value = given === undefined ? makeDefault() : given;
  if (value === null) return null;
  if (kind === 'json') return JSON.stringify(value);
  return kind === 'time' ? sqlTime((value as Date).getTime()) : value;
}

/** The kinds of column in src/db/columns.ts, by the names of their types. */
const KINDS: Record<string, ColumnKind> = {
  TEXT: 'text',
  DATE: 'time',
  INTEGER: 'integer',
  BIGINT: 'integer',
  'DOUBLE PRECISION': 'number',
  BOOLEAN: 'flag',
  JSON: 'json',
};

/** SQLite has no types for times, booleans and JSON. */
const SQLITE_PARSERS: Partial<Record<ColumnKind, (value: unknown) => unknown>> = {
  time: (value) => new Date(value as string),
  flag: (value) => value === 1,
  json: (value) => JSON.parse(value as string),
};

/** What is known of a table by its model. */
interface Description {
  columns: Column[];
  /** Their names in the store, for a statement. */
  fields: string;
  kinds: Record<string, ColumnKind>;
}

const descriptions = { sqlite: new WeakMap<object, Description>(), postgres: new WeakMap<object, Description>() };

function describe(model: ModelStatic<Model>): Description {
  const known = descriptions[dialect()].get(model);
  if (known) return known;
  const columns = Object.entries(model.getAttributes()).map(([attribute, definition]) =>
    columnOf(attribute, definition),
  );
  const made = {
    columns,
    fields: columns.map(({ field }) => field).join(', '),
    kinds: Object.fromEntries(columns.map(({ field, kind }) => [field, kind])),
  };
  descriptions[dialect()].set(model, made);
  return made;
}

function columnOf(attribute: string, { field = attribute, type, defaultValue }: ModelAttributeColumnOptions): Column {
  const kind = KINDS[(type as { key?: string }).key ?? ''];
  if (!kind) throw new Error(`The column ${field} is of no kind that src/db/rows.ts knows`);
  const isTimestamp = attribute === 'createdAt' || attribute === 'updatedAt';
  return {
    attribute,
    field,
    kind,
    makeDefault: isTimestamp ? now : () => defaultValue ?? null,
    parse: dialect() === 'sqlite' ? SQLITE_PARSERS[kind] : undefined,
  };
}
