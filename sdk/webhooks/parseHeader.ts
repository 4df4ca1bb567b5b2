import { WebhookVerificationError } from './WebhookVerificationError.ts';

/** A header as frameworks type it: Koa's is '' and Fetch's null when absent; of those that Node types as a list none is one. */
export type SignatureHeaderValue = string | readonly string[] | null | undefined;

/** The one `t`, as text, and all `v1` of a header. Other parts are skipped: later schemes may come beside `v1`. */
export function parseHeader(header: SignatureHeaderValue): { timestamp: string; signatures: string[] } {
  if (Array.isArray(header) && header.length > 0) {
    throw new WebhookVerificationError(
      'malformed_header',
      'The SVC-Signature header is a list. It comes once: pass its one value, and trust no request that has several.',
    );
  }
  const text = typeof header === 'string' ? header : '';
  if (text.trim() === '') {
    throw new WebhookVerificationError(
      'missing_header',
      'There is no SVC-Signature header. Pass its value as it came; if this request was a webhook, check that no proxy drops the header.',
    );
  }
  const parts = text.split(',').map((part) => part.trim());
  const valuesOf = (key: string) => parts.filter((part) => part.startsWith(key)).map((part) => part.slice(key.length));

  const [timestamp, ...moreTimestamps] = valuesOf('t=');
  const signatures = valuesOf('v1=');
  if (timestamp === undefined || moreTimestamps.length > 0 || !/^\d+$/.test(timestamp) || signatures.length === 0) {
    throw new WebhookVerificationError(
      'malformed_header',
      'The SVC-Signature header is not t=<unix seconds>,v1=<hex>[,v1=<hex>]. Pass its whole value as it came.',
    );
  }
  return { timestamp, signatures };
}
