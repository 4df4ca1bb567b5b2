/** The words of queries, for rooms that ask the store; sequelize itself is at home in src/db and src/models. */

export type { Model, ModelStatic, Transaction, WhereOptions } from 'sequelize';
export { literal, Op, UniqueConstraintError, where as whereIs } from 'sequelize';
