import { timingSafeEqual } from 'node:crypto';
import { parseHeader, type SignatureHeaderValue } from './parseHeader.ts';
import { assertRawBody, type RawBody } from './rawBody.ts';
import { secretList } from './secretList.ts';
import { signature } from './signature.ts';
import { WebhookVerificationError } from './WebhookVerificationError.ts';

export interface VerifyOptions {
  /**
   * How far `t` may be from now, in either direction; 300 by default. Every attempt is signed afresh, so that it need
   * not outlast retries: it covers clocks that differ and limits how long a recorded request can be sent again.
   */
  toleranceSeconds?: number | undefined;
  /** For tests; the present by default. */
  now?: Date | undefined;
}

/**
 * Returns if the header signs the body: one of its `v1` fits one of the secrets, at a time near now. Give all secrets
 * that are live, so that rotating them loses nothing.
 * Throws a `WebhookVerificationError` of any code but `body_not_json` and `body_is_batch`.
 */
export function verifySignature(
  rawBody: RawBody,
  header: SignatureHeaderValue,
  secretOrSecrets: string | readonly string[],
  options: VerifyOptions = {},
): void {
  const { toleranceSeconds, nowSeconds } = checkOptions(options);
  const secrets = secretList(secretOrSecrets);
  assertRawBody(rawBody);
  const { timestamp, signatures } = parseHeader(header);

  const expected = secrets.map((secret) => signature(secret, timestamp, rawBody));
  if (!signatures.some((given) => expected.some((wanted) => isEqual(given, wanted)))) {
    throw new WebhookVerificationError(
      'signature_mismatch',
      'No signature in SVC-Signature fits. Check that the secret is the one of this webhook, whole, and that the body is exactly the bytes that came: not parsed and written again.',
    );
  }
  // After the signature, so that a wrong time speaks of a clock or of a replay and never of a forgery.
  checkAge(nowSeconds - Number(timestamp), toleranceSeconds);
}

function checkOptions({ toleranceSeconds = 300, now = new Date() }: VerifyOptions) {
  const nowSeconds = now instanceof Date ? Math.floor(now.getTime() / 1000) : Number.NaN;
  // Every comparison with NaN is false: it would let any age through.
  if (typeof toleranceSeconds === 'number' && toleranceSeconds >= 0 && !Number.isNaN(nowSeconds)) {
    return { toleranceSeconds, nowSeconds };
  }
  throw new WebhookVerificationError(
    'invalid_options',
    'toleranceSeconds must be a number of seconds from 0, and now a valid Date.',
  );
}

/** As text and not decoded from hex, which would stop without a word at the first character that is none. */
function isEqual(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function checkAge(ageSeconds: number, toleranceSeconds: number): void {
  if (ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError(
      'timestamp_too_old',
      `The request was signed ${ageSeconds} seconds ago and at most ${toleranceSeconds} are accepted. Check this machine's clock, and verify before queueing; otherwise somebody sent a recorded request again.`,
    );
  }
  if (-ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError(
      'timestamp_in_future',
      `The request was signed ${-ageSeconds} seconds ahead of this machine's clock and at most ${toleranceSeconds} are accepted. Check the clocks of both machines.`,
    );
  }
}
