import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/**
 * A request under an idempotency key, with its response. Until `status` is set, the request with this `claim` is running;
 * after `leasedUntil` another one may take over. `body` is compressed if it is large, and encrypted if it contains a secret.
 */
@table(
  'idempotency_records',
  {
    keyId: { ...c.text(), primaryKey: true },
    idempotencyKey: { ...c.text(), primaryKey: true },
    fingerprint: c.text(),
    claim: c.text(),
    leasedUntil: c.time(),
    expiresAt: c.time(),
    status: c.optionalInteger(),
    contentType: c.optionalText(),
    body: c.optionalText(),
    isSealed: c.flag(false),
    isCompressed: c.flag(false),
  },
  { timestamps: false },
)
export class IdempotencyRecord extends Model {
  declare keyId: string;
  declare idempotencyKey: string;
  declare fingerprint: string;
  declare claim: string;
  declare leasedUntil: Date;
  declare expiresAt: Date;
  declare status: number | null;
  declare contentType: string | null;
  declare body: string | null;
  declare isSealed: boolean;
  declare isCompressed: boolean;
}
