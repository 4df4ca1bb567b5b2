import { Model, type ModelAttributes, type ModelStatic } from 'sequelize';
import { database } from '../db/database.ts';

/** A model class with the columns that `init` wants; `connectModels` puts it on the open store. */
export interface Definition {
  model: ModelStatic<Model>;
  table: string;
  columns: ModelAttributes;
  timestamps: boolean;
}

const definitions: Definition[] = [];

/** Class decorator: names the table and its columns (camelCase here, snake_case in the store). */
export function table(name: string, columns: ModelAttributes, options: { timestamps?: boolean } = {}) {
  return (model: ModelStatic<Model>): void => {
    definitions.push({ model, table: name, columns, timestamps: options.timestamps ?? true });
  };
}

/** Puts every model on the open store; after `openDatabase`. */
export function connectModels(): void {
  for (const { model, table: tableName, columns, timestamps } of definitions) {
    model.init(columns, { sequelize: database(), tableName, timestamps, modelName: model.name });
  }
}
