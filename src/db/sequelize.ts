/** What other folders use of Sequelize. Only src/db and src/models import the package itself. */

export type { Model, ModelStatic, Transaction, WhereOptions } from 'sequelize';
export { literal, Op, UniqueConstraintError, where as whereIs } from 'sequelize';
