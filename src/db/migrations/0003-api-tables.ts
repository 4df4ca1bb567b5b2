import { DataTypes, type ModelAttributes, type QueryInterface, type Transaction } from 'sequelize';
import * as c from '../columns.ts';

const references = (table: string) => ({ references: { model: table, key: 'id' }, onDelete: 'CASCADE' });

const TABLES: Record<string, ModelAttributes> = {
  alerts: {
    id: c.id(),
    team_id: { ...c.text(), ...references('teams') },
    project_id: { ...c.optionalText(), ...references('projects') },
    kind: c.text(),
    severity: c.text(),
    title: c.text(),
    message: c.text(),
    link_id: c.optionalText(),
    webhook_id: c.optionalText(),
    details: c.json(),
    incident: c.text(),
    acknowledged_at: c.optionalTime(),
    resolved_at: c.optionalTime(),
    ...c.timestamps(),
  },
  idempotency_records: {
    key_id: { ...c.text(), primaryKey: true, ...references('api_keys') },
    idempotency_key: { ...c.text(), primaryKey: true },
    fingerprint: c.text(),
    claim: c.text(),
    leased_until: c.time(),
    expires_at: c.time(),
    status: c.optionalInteger(),
    content_type: c.optionalText(),
    body: c.optionalText(),
    is_sealed: c.flag(false),
  },
  // As rate-limiter-flexible wants it.
  rate_limits: {
    key: { type: DataTypes.STRING(255), primaryKey: true, allowNull: false },
    points: c.integer(0),
    expire: { type: DataTypes.BIGINT, allowNull: true },
  },
};

/** What the guarantees of the REST API need: alerts, stored answers, shared quotas. */
export async function apiTables(tables: QueryInterface, transaction: Transaction): Promise<void> {
  for (const [name, columns] of Object.entries(TABLES)) await tables.createTable(name, columns, { transaction });
  const index = (table: string, fields: string[], more = {}) =>
    tables.addIndex(table, { fields, name: `${table}_${fields.join('_')}`, ...more, transaction });
  await index('alerts', ['project_id', 'created_at', 'id']);
  await index('alerts', ['team_id', 'created_at', 'id']);
  // One open alert for one incident.
  await index('alerts', ['incident'], { unique: true, where: { resolved_at: null } });
  await index('idempotency_records', ['expires_at']);
}
