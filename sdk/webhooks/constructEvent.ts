import type { SignatureHeaderValue } from './parseHeader.ts';
import { parseJson, type RawBody } from './rawBody.ts';
import { type VerifyOptions, verifySignature } from './verifySignature.ts';
import type { WebhookBatch, WebhookEvent } from './WebhookEvent.ts';
import { WebhookVerificationError } from './WebhookVerificationError.ts';

/**
 * The event of a webhook request, once its signature is verified: `rawBody` as it came, `header` the value of
 * `SVC-Signature`, the secret or all that are live while they are rotated, and the options of `verifySignature`.
 * `Data` is your claim about the shape of `data`, which nothing checks.
 * Throws a `WebhookVerificationError` of any code, and nothing else; `body_is_batch` for a batch: see `constructEvents`.
 */
export function constructEvent<Data extends object = Record<string, unknown>>(
  rawBody: RawBody,
  header: SignatureHeaderValue,
  secretOrSecrets: string | readonly string[],
  options: VerifyOptions = {},
): WebhookEvent<Data> {
  const message = construct<Data>(rawBody, header, secretOrSecrets, options);
  if (!isBatch(message)) return message as WebhookEvent<Data>;
  throw new WebhookVerificationError(
    'body_is_batch',
    'The body is signed rightly and is a batch of events. Use constructEvents, or set batch of the webhook to null.',
  );
}

/**
 * The events of a webhook request, once its signature is verified: those of a batch in its order, or the one that it is, such
 * as a test or what was sent before the webhook had batches. It takes the same as `constructEvent` and throws the same, but for
 * `body_is_batch`. Work on each `id` once: a batch is repeated as a whole.
 */
export function constructEvents<Data extends object = Record<string, unknown>>(
  rawBody: RawBody,
  header: SignatureHeaderValue,
  secretOrSecrets: string | readonly string[],
  options: VerifyOptions = {},
): WebhookEvent<Data>[] {
  const message = construct<Data>(rawBody, header, secretOrSecrets, options);
  return isBatch(message) ? (message as WebhookBatch<Data>).events : [message as WebhookEvent<Data>];
}

function construct<Data extends object>(
  rawBody: RawBody,
  header: SignatureHeaderValue,
  secretOrSecrets: string | readonly string[],
  options: VerifyOptions,
): WebhookEvent<Data> | WebhookBatch<Data> {
  verifySignature(rawBody, header, secretOrSecrets, options);
  const message = parsed(rawBody);
  if (isEnvelope(message)) return message as WebhookEvent<Data>;
  if (isBatch(message)) return message as WebhookBatch<Data>;
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

function isBatch(message: unknown): message is WebhookBatch {
  const { type, events } = (message ?? {}) as Partial<WebhookBatch>;
  return type === 'batch' && Array.isArray(events) && events.every(isEnvelope);
}
