import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** One request that was made for a delivery, and what came back. */
@table(
  'attempts',
  {
    id: c.id(),
    deliveryId: c.text(),
    number: c.integer(),
    at: c.time(),
    manual: c.flag(false),
    durationMs: c.integer(),
    statusCode: c.optionalInteger(),
    responseHeaders: c.optionalJson(),
    responseBody: c.optionalText(),
    error: c.optionalText(),
    url: c.optionalText(),
    signature: c.optionalText(),
  },
  { timestamps: false },
)
export class Attempt extends Model {
  declare id: string;
  declare deliveryId: string;
  declare number: number;
  declare at: Date;
  declare manual: boolean;
  declare durationMs: number;
  declare statusCode: number | null;
  declare responseHeaders: Record<string, string> | null;
  declare responseBody: string | null;
  declare error: string | null;
  /** Where it was sent. Null, like `signature`, for attempts from before these were kept. */
  declare url: string | null;
  /** The value of `SVC-Signature`. */
  declare signature: string | null;
}
