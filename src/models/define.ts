import { type FindOptions, Model, type ModelAttributes, type ModelStatic } from 'sequelize';
import { database } from '../db/connection/database.ts';

/** A model class with its columns; `connectModels` binds it to the open store. */
export interface Definition {
  model: ModelStatic<Model>;
  table: string;
  columns: ModelAttributes;
  timestamps: boolean;
  /** Applies to every query that does not override it. */
  defaultScope: FindOptions;
}

const definitions: Definition[] = [];

/** Class decorator: names the table and its columns (camelCase here, snake_case in the store). */
export function table(
  name: string,
  columns: ModelAttributes,
  options: Partial<Pick<Definition, 'timestamps' | 'defaultScope'>> = {},
) {
  return (model: ModelStatic<Model>): void => {
    const { timestamps = true, defaultScope = {} } = options;
    definitions.push({ model, table: name, columns, timestamps, defaultScope });
  };
}

/** The values of an empty row: the default of each column, or null. For results that are shown like a row but not stored. */
export function emptyRow(of: ModelStatic<Model>): Record<string, unknown> {
  const columns = definitions.find(({ model }) => model === of)?.columns ?? {};
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      (column as { defaultValue?: unknown }).defaultValue ?? null,
    ]),
  );
}

/** Binds every model to the open store. Call it after `openDatabase`. */
export function connectModels(): void {
  for (const { model, table: tableName, columns, timestamps, defaultScope } of definitions) {
    model.init(columns, { sequelize: database(), tableName, timestamps, defaultScope, modelName: model.name });
  }
}
