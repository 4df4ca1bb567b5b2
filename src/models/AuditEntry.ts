import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** A record of who changed what. `action` is subject and verb (`webhook.updated`). Entries are never changed. */
@table(
  'audit_entries',
  {
    id: c.id(),
    teamId: c.text(),
    projectId: c.optionalText(),
    actorKind: c.text(),
    actorId: c.optionalText(),
    action: c.text(),
    subjectId: c.optionalText(),
    subjectName: c.optionalText(),
    details: c.json(),
    createdAt: c.time(),
  },
  { timestamps: false },
)
export class AuditEntry extends Model {
  declare id: string;
  declare teamId: string;
  /** Null: the change concerns the whole team. */
  declare projectId: string | null;
  declare actorKind: 'user' | 'key' | 'operator' | 'nobody';
  declare actorId: string | null;
  declare action: string;
  declare subjectId: string | null;
  /** The name at that time: the subject may have been deleted since. */
  declare subjectName: string | null;
  declare details: Record<string, unknown>;
  declare createdAt: Date;
}
