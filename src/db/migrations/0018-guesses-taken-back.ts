import type { QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';
import { database } from '../connection/database.ts';

const part = { primaryKey: true };

/** Which apps were opened at an address lately, which clicks only a guess has used, and when a guess was taken back. */
export async function guessesTakenBack(tables: QueryInterface, transaction: Transaction): Promise<void> {
  const columns = {
    // A UTC day since the epoch; `address_hash` is made with its key.
    day: { ...c.integer(), ...part },
    project_id: { ...c.text(), ...part },
    address_hash: { ...c.text(), ...part },
    install_id: { ...c.text(), ...part },
    platform: c.text(),
    os_version: c.optionalText(),
    device_model: c.optionalText(),
    language: c.optionalText(),
    // Milliseconds since the epoch.
    opened_ms: c.bigInteger(),
  };
  await tables.createTable('seen_installs', columns, { transaction });
  await database().query('CREATE INDEX seen_installs_project_id_install_id ON seen_installs (project_id, install_id)', {
    transaction,
  });
  // By the click's own token. Of those before nobody knows; they stay used.
  await tables.addColumn('used_clicks', 'by_token', c.flag(true), { transaction });
  await tables.addColumn('installs', 'match_revised_at', c.optionalTime(), { transaction });
}
