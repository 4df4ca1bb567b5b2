import type { SignatureHeaderValue } from './parseHeader.ts';
import { parseJson, type RawBody } from './rawBody.ts';
import { type VerifyOptions, verifySignature } from './verifySignature.ts';
import type { WebhookEvent } from './WebhookEvent.ts';
import { WebhookVerificationError } from './WebhookVerificationError.ts';

/**
 * The event of a webhook request, once its signature is verified: `rawBody` as it came, `header` the value of
 * `SVC-Signature`, the secret or all that are live while they are rotated, and the options of `verifySignature`.
 * `Data` is your claim about the shape of `data`, which nothing checks.
 * Throws a `WebhookVerificationError` of any code, and nothing else.
 */
export function constructEvent<Data extends object = Record<string, unknown>>(
  rawBody: RawBody,
  header: SignatureHeaderValue,
  secretOrSecrets: string | readonly string[],
  options: VerifyOptions = {},
): WebhookEvent<Data> {
  verifySignature(rawBody, header, secretOrSecrets, options);
  const event = parsed(rawBody);
  if (isEnvelope(event)) return event as WebhookEvent<Data>;
  throw new WebhookVerificationError(
    'body_not_json',
    'The body is signed rightly but is no JSON event with an id, a type and data. Check what else signs with this secret.',
  );
}

function parsed(rawBody: RawBody): unknown {
  try {
    return parseJson(rawBody);
  } catch {
    return undefined;
  }
}

function isEnvelope(event: unknown): event is WebhookEvent {
  const { id, type, data } = (event ?? {}) as Partial<WebhookEvent>;
  return typeof id === 'string' && typeof type === 'string' && typeof data === 'object' && data !== null;
}
