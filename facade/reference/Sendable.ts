import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type Koa from 'koa';

const MAX_AGE_SECONDS = 300;
/** Not the best one: a page is compressed while the first client waits. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

type Encoding = 'br' | 'gzip';

const COMPRESS: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/** A public text that is the same for everybody, compressed once, with a tag by which clients recognize what they have. */
export class Sendable {
  readonly #type: string;
  readonly #bytes: Buffer;
  readonly #tag: string;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();
  readonly #headers: Record<string, string>;

  constructor(type: string, text: string, headers: Record<string, string> = {}) {
    this.#type = type;
    this.#bytes = Buffer.from(text);
    // Weak: one for every encoding.
    this.#tag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    this.#headers = headers;
  }

  async send(ctx: Koa.Context): Promise<void> {
    ctx.set(this.#headers);
    ctx.set('Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`);
    ctx.set('ETag', this.#tag);
    ctx.vary('Accept-Encoding');
    if (this.#isKnownTo(ctx)) {
      ctx.status = 304;
      return;
    }
    ctx.status = 200;
    ctx.set('Content-Type', this.#type);
    const encoding = (Object.keys(COMPRESS) as Encoding[]).find((name) => ctx.acceptsEncodings(name));
    if (!encoding) {
      ctx.body = this.#bytes;
      return;
    }
    ctx.set('Content-Encoding', encoding);
    ctx.body = await this.#in(encoding);
  }

  /** Not `ctx.fresh`, which counts the `no-cache` that fetch adds to every request with a tag. */
  #isKnownTo(ctx: Koa.Context): boolean {
    const tags = ctx.get('If-None-Match').split(',');
    return tags.some((tag) => tag.trim() === this.#tag);
  }

  #in(encoding: Encoding): Promise<Buffer> {
    const known = this.#compressed.get(encoding) ?? COMPRESS[encoding](this.#bytes);
    this.#compressed.set(encoding, known);
    return known;
  }
}
