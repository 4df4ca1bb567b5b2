import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/**
 * A problem that needs attention. `projectId` is null for alerts of the whole team. `incident` identifies the cause
 * (`link_flagged:lnk_…`): an incident has at most one alert that is not resolved.
 */
@table('alerts', {
  id: c.id(),
  teamId: c.text(),
  projectId: c.optionalText(),
  kind: c.text(),
  severity: c.text(),
  title: c.text(),
  message: c.text(),
  linkId: c.optionalText(),
  webhookId: c.optionalText(),
  details: c.json(),
  incident: c.text(),
  acknowledgedAt: c.optionalTime(),
  resolvedAt: c.optionalTime(),
})
export class Alert extends Model {
  declare id: string;
  declare teamId: string;
  declare projectId: string | null;
  declare kind:
    | 'health'
    | 'traffic_anomaly'
    | 'link_flagged'
    | 'webhook_disabled'
    | 'billing'
    | 'domain'
    | 'security'
    | 'lost_journal';
  declare severity: 'info' | 'warning' | 'critical';
  declare title: string;
  declare message: string;
  declare linkId: string | null;
  declare webhookId: string | null;
  declare details: Record<string, unknown>;
  declare incident: string;
  declare acknowledgedAt: Date | null;
  declare resolvedAt: Date | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}
