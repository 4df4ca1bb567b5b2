import { type FindOptions, Model, type ModelAttributes, type ModelStatic } from 'sequelize';
import { database } from '../db/database.ts';

/** A model class with the columns that `init` wants; `connectModels` puts it on the open store. */
export interface Definition {
  model: ModelStatic<Model>;
  table: string;
  columns: ModelAttributes;
  timestamps: boolean;
  /** Holds for every query that does not say otherwise. */
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

/** Puts every model on the open store; after `openDatabase`. */
export function connectModels(): void {
  for (const { model, table: tableName, columns, timestamps, defaultScope } of definitions) {
    model.init(columns, { sequelize: database(), tableName, timestamps, defaultScope, modelName: model.name });
  }
}
