import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

const MAX_BYTES_READ = 64 * 1024;
const MAX_BYTES_KEPT = 4 * 1024;
const MAX_HEADERS_KEPT = 50;
const MAX_HEADER_BYTES = 1024;

/** Answers that have no body (RFC 9110), so that an error after their head does not matter. */
const BODILESS = [204, 304];

/** The stored part of an answer, which may be incomplete. */
export interface Answer {
  statusCode: number;
  /** The first 50, values cut at 1 KiB, repeated headers joined by commas. */
  headers: Record<string, string>;
  /** The first 4 KiB of the body. */
  text: string;
  /** Why the body is incomplete; null when it is complete or was cut at the limit of 64 KiB. */
  failure: Error | null;
  /** The Retry-After header, even if it is not among the stored ones. */
  retryAfter: string | undefined;
}

/**
 * Reads the answer to one request, at most 64 KiB; for a longer one it drops the connection. Calls `resolve` once a status
 * was received, even if the body breaks off, and `reject` otherwise.
 */
export class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;
  readonly #kept: Buffer[] = [];
  #statusCode = 0;
  #headers: IncomingHttpHeaders = {};
  #bytesRead = 0;

  constructor(resolve: (answer: Answer) => void, reject: (error: Error) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Required by undici. The controller is not needed, since the deadline ends the whole connection. */
  onRequestStart(): void {}

  onResponseStart(_controller: unknown, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200) return;
    this.#statusCode = statusCode;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#bytesRead < MAX_BYTES_KEPT) this.#kept.push(chunk.subarray(0, MAX_BYTES_KEPT - this.#bytesRead));
    this.#bytesRead += chunk.length;
    if (this.#bytesRead <= MAX_BYTES_READ) return;
    this.#answered(null);
    controller.abort(new Error('The answer is longer than 64 KiB'));
  }

  onResponseEnd(): void {
    this.#answered(null);
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#statusCode === 0) this.#reject(error);
    else this.#answered(BODILESS.includes(this.#statusCode) ? null : error);
  }

  #answered(failure: Error | null): void {
    this.#resolve({
      statusCode: this.#statusCode,
      headers: keptHeaders(this.#headers),
      text: storable(Buffer.concat(this.#kept), this.#bytesRead > MAX_BYTES_KEPT),
      failure,
      retryAfter: this.#headers['retry-after'],
    });
  }
}

function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of Object.keys(headers).slice(0, MAX_HEADERS_KEPT)) {
    kept[name.slice(0, MAX_HEADER_BYTES)] = headerText(String(headers[name]));
  }
  return kept;
}

function headerText(value: string): string {
  const isShort = value.length * 2 <= MAX_HEADER_BYTES;
  if (isShort) return withoutNul(value);
  const bytes = Buffer.from(value);
  return storable(bytes.subarray(0, MAX_HEADER_BYTES), bytes.length > MAX_HEADER_BYTES);
}

/** Decodes text for storage. In stream mode the decoder omits a character that the cut has split. */
function storable(bytes: Buffer, isCut: boolean): string {
  return withoutNul(new TextDecoder().decode(bytes, { stream: isCut }));
}

/** PostgreSQL does not accept NUL in text. */
function withoutNul(text: string): string {
  return text.includes('\u0000') ? text.replaceAll('\u0000', '\ufffd') : text;
}

const NOTHING: Buffer = Buffer.alloc(0);
const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** Length up to the last digit of the status. */
const STATUS_LINE_LENGTH = 'HTTP/1.1 100'.length;

/** 101 is excluded: it switches the protocol, which no request asks for. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d$/;

/** Prefixes of an interim status line, for an answer whose first bytes have not all arrived. */
const COULD_BE_INTERIM = ['HTTP/1.1 1', 'HTTP/1.0 1'];

/**
 * Removes interim answers (`100 Continue` and other 1xx) from the bytes that a receiver sends. A client has to ignore
 * unexpected ones (RFC 9110, 15.2), but undici treats an unexpected 100 as an error. Only the head of an answer is parsed.
 * The amount of data is not limited here.
 */
export class InterimAnswers {
  /** The final answer has begun, so all bytes pass unchanged. */
  #isOver = false;
  #isInHead = false;
  /** Bytes that may belong to an interim answer, kept until there are enough to decide. */
  #held = NOTHING;

  /** Call before the next answer on the same connection. */
  restart(): void {
    this.#isOver = false;
    this.#isInHead = false;
    this.#held = NOTHING;
  }

  /** Returns the bytes to pass on: those held back and these, without interim answers. */
  take(chunk: Buffer): Buffer {
    if (this.#isOver) return chunk;
    let rest = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = NOTHING;
    for (;;) {
      if (this.#isInHead) {
        const end = rest.indexOf(END_OF_HEAD);
        // The end of the head may be split between two chunks.
        if (end < 0) return this.#hold(rest.subarray(-(END_OF_HEAD.length - 1)));
        rest = rest.subarray(end + END_OF_HEAD.length);
        this.#isInHead = false;
      }
      const begin = rest.toString('latin1', 0, STATUS_LINE_LENGTH);
      if (begin.length < STATUS_LINE_LENGTH && COULD_BE_INTERIM.some((known) => isPrefix(begin, known))) {
        return this.#hold(rest);
      }
      if (!INTERIM.test(begin)) {
        this.#isOver = true;
        return rest;
      }
      this.#isInHead = true;
    }
  }

  #hold(bytes: Buffer): Buffer {
    this.#held = bytes;
    return NOTHING;
  }
}

function isPrefix(one: string, other: string): boolean {
  return one.length <= other.length ? other.startsWith(one) : one.startsWith(other);
}
