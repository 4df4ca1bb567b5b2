import { host } from './host.ts';
import { SvcError } from './SvcError.ts';
import type { FetchLike, SvcOptions } from './types.ts';

const TIMEOUT_MS = 10_000;

export interface Answer<Data> {
  data: Data;
  retryAfterSeconds: number | null;
}

/** Asks an SDK endpoint. `field`: what an answer of ours always has. Throws nothing but `SvcError`. */
export type Post = <Data>(path: string, body: string, field: keyof Data, keepalive?: boolean) => Promise<Answer<Data>>;

export function makePost({ url, key, fetch }: SvcOptions): Post {
  const send: FetchLike = fetch || ((to, init) => (host.fetch as FetchLike)(to, init));
  const base = `${url.replace(/\/+$/, '')}/v1/sdk`;
  const headers = { 'Content-Type': 'application/json', 'X-SVC-Key': key };

  return async (path, body, field, keepalive) => {
    const controller = host.AbortController && new host.AbortController();
    const signal = controller?.signal;
    const init = {
      method: 'POST',
      headers,
      body,
      credentials: 'omit',
      signal,
      ...(keepalive && { keepalive }),
    } as const;
    let timer: unknown;
    // A race, for hosts whose fetch cannot be aborted.
    const timeout = new Promise<never>((_, reject) => {
      timer = host.setTimeout(() => {
        reject(new SvcError('timeout', 'The server did not answer in time.'));
        controller?.abort();
      }, TIMEOUT_MS);
    });
    try {
      return await Promise.race([ask(send, base + path, init, field as string), timeout]);
    } catch (error) {
      throw error instanceof SvcError ? error : new SvcError('network_error', `The server was not reached: ${error}`);
    } finally {
      host.clearTimeout(timer);
    }
  };
}

// biome-ignore lint/suspicious/noExplicitAny: whatever answers
type Json = any;

async function ask(send: FetchLike, url: string, init: Parameters<FetchLike>[1], field: string): Promise<Answer<Json>> {
  const response = await send(url, init);
  const { status, headers } = response;
  const retryAfterSeconds = secondsOf(headers.get('Retry-After'));
  const data = parsed(await response.text());
  if (status >= 200 && status < 300 && data?.[field] !== undefined) return { data, retryAfterSeconds };
  const error = data?.error;
  throw new SvcError(error?.code || 'bad_response', error?.message || `Something else answered, with ${status}.`, {
    status,
    retryAfterSeconds,
    requestId: error?.request_id || headers.get('X-Request-Id'),
    fields: error?.fields,
  });
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Proxies may say a date in the place of seconds. */
function secondsOf(header: string | null): number | null {
  if (!header) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return seconds > 0 ? Math.min(seconds, 86_400) : null;
}
