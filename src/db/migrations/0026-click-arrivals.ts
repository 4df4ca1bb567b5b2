import type { QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';

/**
 * Counts of clicks that are in no block yet become rows that are only added, so that processes that store clicks of the same
 * project do not wait for each other's rows. `click_backlog` stays: earlier versions write it, and its rows are still read.
 */
export async function clickArrivals(tables: QueryInterface, transaction: Transaction): Promise<void> {
  const arrivals = { id: c.id(), project_id: c.text(), quarter: c.integer(), clicks: c.bigInteger() };
  await tables.createTable('click_arrivals', arrivals, { transaction });
  const fields = ['project_id', 'quarter'];
  await tables.addIndex('click_arrivals', { fields, name: 'click_arrivals_project_id_quarter', transaction });
  // A day of a project whose blocks a process builds: `<project id> <day>`.
  const leases = { id: c.id(), lease_until: c.optionalTime() };
  await tables.createTable('click_day_leases', leases, { transaction });
  // Its one row, made when it is first needed, is locked by the process that adds collected counts to the links.
  await tables.createTable('click_fold_turns', { id: c.id() }, { transaction });
}
