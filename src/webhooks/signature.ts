import { createHmac } from 'node:crypto';

/**
 * The value of `SVC-Signature`: `t=<unix seconds>,v1=<hex>[,v1=<hex>]`, one v1 for each secret that is live, the newest
 * first. Each is the HMAC-SHA256 of `<t>.<raw body>`, keyed by the whole secret, `whsec_` included.
 */
export function signatureHeader(secrets: string[], rawBody: string | Buffer, atSeconds: number): string {
  const signatures = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${atSeconds}.`).update(rawBody).digest('hex'),
  );
  return [`t=${atSeconds}`, ...signatures.map((hex) => `v1=${hex}`)].join(',');
}
