/** The parts of an `SVC-Signature` header. */
export interface Signature {
  /** When it was signed, in seconds. */
  timestamp: string;
  /** One for each secret that was live, newest first, in hex. */
  signatures: readonly string[];
}

/** Takes the header apart; null for one that is not of this form. */
export function parseSignature(header: string): Signature | null {
  const parts = header.split(',').map((part) => part.trim());
  const valuesOf = (key: string) => parts.filter((part) => part.startsWith(key)).map((part) => part.slice(key.length));
  const [timestamp] = valuesOf('t=');
  const signatures = valuesOf('v1=');
  return timestamp && /^\d+$/.test(timestamp) && signatures.length > 0 ? { timestamp, signatures } : null;
}

/** The exact text that is signed. */
export function signedText({ timestamp }: Pick<Signature, 'timestamp'>, body: string): string {
  return `${timestamp}.${body}`;
}

/** Browsers compute HMACs on https and localhost alone. */
export function canCompute(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

/** The HMAC-SHA256 of a text in lower-case hex; the key is the whole secret, `whsec_` included. */
export async function hmacHex(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
