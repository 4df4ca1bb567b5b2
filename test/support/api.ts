/** What a REST call gave. `body` is parsed JSON, or undefined when there was none. */
export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
}

export interface CallOptions {
  headers?: Record<string, string>;
  /** Sent as it is instead of JSON. */
  raw?: string | Buffer;
}

export interface Api {
  (method: string, path: string, body?: unknown, options?: CallOptions): Promise<Reply>;
  /** The same API with another key, or none. */
  as(key: string | null): Api;
}

/** Where each API is, and how it is told of a key. */
const APIS = {
  rest: { path: '/api/v1', tell: (key: string) => ({ Authorization: `Bearer ${key}` }) },
  sdk: { path: '/v1/sdk', tell: (key: string) => ({ 'X-SVC-Key': key }) },
};

/** Calls to /api/v1 with that key, or to what apps ask. */
export function apiOf(origin: string, key: string | null, name: keyof typeof APIS = 'rest'): Api {
  const { path: base, tell } = APIS[name];
  const call = async (method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Reply> => {
    const payload = options.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${origin}${base}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === null ? {} : tell(key)),
        ...(payload === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      ...(payload === undefined ? {} : { body: payload as string }),
    });
    const type = response.headers.get('content-type');
    // Such a stream has no end: what it begins with will do.
    const text = type?.startsWith('text/event-stream') ? await firstOf(response) : await response.text();
    const isJson = type?.startsWith('application/json');
    const parsed = isJson === false ? text : JSON.parse(text || 'null');
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : parsed };
  };
  return Object.assign(call, { as: (other: string | null) => apiOf(origin, other, name) });
}

async function firstOf({ body }: Response): Promise<string> {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}
