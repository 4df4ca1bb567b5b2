import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/**
 * Something that happened, written in the transaction of its cause: the outbox and the log in one.
 * `fannedOutAt`: its deliveries exist. `webhookId`: a test, for that webhook alone.
 */
@table(
  'events',
  {
    id: c.id(),
    type: c.text(),
    teamId: c.text(),
    projectId: c.optionalText(),
    linkId: c.optionalText(),
    tagIds: c.json(),
    trafficClass: c.optionalText(),
    webhookId: c.optionalText(),
    data: c.json(),
    createdAt: c.time(),
    fannedOutAt: c.optionalTime(),
  },
  { timestamps: false },
)
export class Event extends Model {
  declare id: string;
  declare type: string;
  declare teamId: string;
  declare projectId: string | null;
  declare linkId: string | null;
  declare tagIds: string[];
  declare trafficClass: string | null;
  declare webhookId: string | null;
  declare data: Record<string, unknown>;
  declare createdAt: Date;
  declare fannedOutAt: Date | null;
}
