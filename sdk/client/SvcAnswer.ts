import { SvcConnectionError } from './SvcError.ts';

/** How much the key may still ask, as the server says with each answer. */
export interface RateLimit {
  limit: number;
  remaining: number;
  /** Seconds until all of it is there again. */
  resetSeconds: number;
}

/** An answer as it came. */
export class SvcAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body; empty for a stream. */
  readonly bytes: Uint8Array;
  /** The body of a request with `isStreamed`. */
  readonly stream: ReadableStream<Uint8Array> | null;

  constructor(response: { status: number; headers: Headers }, bytes: Uint8Array, stream: SvcAnswer['stream'] = null) {
    this.status = response.status;
    this.headers = response.headers;
    this.bytes = bytes;
    this.stream = stream;
  }

  /** The body as text, byte for byte. */
  get text(): string {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.bytes);
  }

  /** The body as JSON. Throws `bad_response` if it is none. */
  json<Data>(): Data {
    try {
      return JSON.parse(this.text);
    } catch (cause) {
      const { status, text: body } = this;
      throw new SvcConnectionError('bad_response', 'The answer is no JSON: something that is not svc answered.', {
        status,
        body,
        cause,
      });
    }
  }

  get mediaType(): string {
    return (this.headers.get('Content-Type') ?? '').split(';', 1)[0] as string;
  }

  get requestId(): string | null {
    return this.headers.get('X-Request-Id');
  }

  /** Nothing was kept: see `dryRun`. */
  get isDryRun(): boolean {
    return this.headers.get('SVC-Dry-Run') === 'true';
  }

  /** The stored answer to an earlier request with the same idempotency key. */
  get isReplayed(): boolean {
    return this.headers.get('Idempotency-Replayed') === 'true';
  }

  get rateLimit(): RateLimit | null {
    const [limit, remaining, resetSeconds] = ['Limit', 'Remaining', 'Reset'].map((part) =>
      Number(this.headers.get(`RateLimit-${part}`) ?? Number.NaN),
    ) as [number, number, number];
    return Number.isNaN(limit) ? null : { limit, remaining, resetSeconds };
  }
}
