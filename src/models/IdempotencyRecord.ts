import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/**
 * What a key asked for under an idempotency key. Until `status` is set the request with that `claim` is at work, and
 * when it has not answered by `leasedUntil` another may take over. `body` is compressed
 * when it is large, and sealed when it holds a secret.
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
