import { createHmac } from 'node:crypto';
import type { RawBody } from './rawBody.ts';

/**
 * A `v1`: the lowercase hex HMAC-SHA256 of `<timestamp>.<raw body>`. The key is the whole secret, `whsec_` included.
 * The timestamp is the text of the header, so that what is verified is what was signed.
 */
export function signature(secret: string, timestamp: string, rawBody: RawBody): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest('hex');
}
