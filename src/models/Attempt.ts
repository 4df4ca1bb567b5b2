import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** One request of a delivery, and its response. */
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
  /** The URL of the request. Null, like `signature`, for attempts made before these were stored. */
  declare url: string | null;
  /** The value of `SVC-Signature`. */
  declare signature: string | null;
}
