import type { RawBody } from './rawBody.ts';
import { secretList } from './secretList.ts';
import { signature } from './signature.ts';

/** `timestamp` is in Unix seconds, now by default. */
export type SigningInput = { rawBody: RawBody; timestamp?: number | undefined } & (
  | { secret: string; secrets?: never }
  | { secrets: readonly string[]; secret?: never }
);

/** For your tests: the `SVC-Signature` that the server would send with this body, one `v1` for each secret, in order. */
export function signatureHeader({ rawBody, secret, secrets, timestamp }: SigningInput): string {
  const seconds = String(timestamp ?? Math.floor(Date.now() / 1000));
  const signatures = secretList(secrets ?? secret).map((live) => signature(live, seconds, rawBody));
  return [`t=${seconds}`, ...signatures.map((hex) => `v1=${hex}`)].join(',');
}
