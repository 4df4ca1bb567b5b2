import { DataTypes, type ModelAttributeColumnOptions } from 'sequelize';

type Column = ModelAttributeColumnOptions;

/** The kinds of column there are, for models and migrations alike. `optional` ones take null. */
export const id = (): Column => ({ type: DataTypes.TEXT, primaryKey: true, allowNull: false });
export const text = (): Column => ({ type: DataTypes.TEXT, allowNull: false });
export const optionalText = (): Column => ({ type: DataTypes.TEXT, allowNull: true, defaultValue: null });
export const time = (): Column => ({ type: DataTypes.DATE(3), allowNull: false });
export const optionalTime = (): Column => ({ type: DataTypes.DATE(3), allowNull: true, defaultValue: null });
export const integer = (fallback?: number): Column => ({
  type: DataTypes.INTEGER,
  allowNull: false,
  ...(fallback === undefined ? {} : { defaultValue: fallback }),
});
export const optionalInteger = (): Column => ({ type: DataTypes.INTEGER, allowNull: true, defaultValue: null });
export const bigInteger = (fallback = 0): Column => ({
  type: DataTypes.BIGINT,
  allowNull: false,
  defaultValue: fallback,
});
export const flag = (fallback: boolean): Column => ({
  type: DataTypes.BOOLEAN,
  allowNull: false,
  defaultValue: fallback,
});
export const json = (): Column => ({ type: DataTypes.JSON, allowNull: false });
export const optionalJson = (): Column => ({ type: DataTypes.JSON, allowNull: true, defaultValue: null });

/** `created_at` and `updated_at`, which Sequelize keeps. */
export const timestamps = (): Record<string, Column> => ({ created_at: time(), updated_at: time() });
