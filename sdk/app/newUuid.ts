import { host } from './host.ts';

/** A random UUID (version 4), as good as the host can make one. */
export function newUuid(): string {
  const { crypto } = host;
  // Browsers have it on https alone.
  if (crypto?.randomUUID) return crypto.randomUUID();
  const bytes = new Uint8Array(36);
  if (crypto?.getRandomValues) crypto.getRandomValues(bytes);
  else for (let at = 0; at < 36; at++) bytes[at] = Math.random() * 256;
  return '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit, at: number) => {
    const random = (bytes[at] as number) & 15;
    return (digit === '8' ? (random & 3) | 8 : random).toString(16);
  });
}
