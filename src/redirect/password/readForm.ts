import type { IncomingMessage } from 'node:http';

/** A password of 200 characters takes 2,400 bytes when each is percent-encoded in full. */
const MAX_BYTES = 4096;
/** A form is sent at once; whoever takes longer holds a connection and nothing else. */
const PATIENCE_MS = 10_000;

/** Why there is no form; `gone`: nobody is there to be answered. */
export type FormFault = 'too_large' | 'too_slow' | 'gone';

/** The fields of a urlencoded form. No more than its bound is ever kept; the rest is read to be thrown away. */
export function readForm(request: IncomingMessage, patienceMs = PATIENCE_MS): Promise<URLSearchParams | FormFault> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (result: URLSearchParams | FormFault) => {
      clearTimeout(timer);
      resolve(result);
    };
    const isTooLarge = () => bytes > MAX_BYTES;
    const timer = setTimeout(() => settle(isTooLarge() ? 'too_large' : 'too_slow'), patienceMs);
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (isTooLarge()) chunks.length = 0;
      else chunks.push(chunk);
    });
    request.on('end', () =>
      settle(isTooLarge() ? 'too_large' : new URLSearchParams(Buffer.concat(chunks).toString('utf8'))),
    );
    request.on('error', () => settle('gone'));
    request.on('close', () => settle('gone'));
  });
}
