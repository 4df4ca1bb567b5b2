import { createHmac } from 'node:crypto';

/** The parts of a delivery that its headers show. A batch, which is no event, has its own id for that of an event. */
interface Addressed {
  id: string;
  eventId: string;
  eventType: string;
}

/**
 * The headers of one attempt. Past attempts are shown with them too, since only the number and the signature of an attempt
 * are stored: a change of the other headers has to keep those of earlier attempts.
 */
export function requestHeaders({ id, eventId, eventType }: Addressed, attempt: number, signature: string) {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'SVC-Webhooks/1',
    // The answer is stored as text, so it must not be compressed.
    'Accept-Encoding': 'identity',
    'SVC-Signature': signature,
    'SVC-Event-Id': eventId,
    'SVC-Event-Type': eventType,
    'SVC-Delivery-Id': id,
    'SVC-Attempt': String(attempt),
  };
}

/**
 * The value of `SVC-Signature`: `t=<unix seconds>,v1=<hex>[,v1=<hex>]`, one v1 for each live secret, newest first. Each v1
 * is the HMAC-SHA256 of `<t>.<raw body>`; the key is the whole secret, including `whsec_`.
 */
export function signatureHeader(secrets: string[], rawBody: string | Buffer, atSeconds: number): string {
  const signatures = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${atSeconds}.`).update(rawBody).digest('hex'),
  );
  return [`t=${atSeconds}`, ...signatures.map((hex) => `v1=${hex}`)].join(',');
}
