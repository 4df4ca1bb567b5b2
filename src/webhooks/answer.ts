import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

const MAX_BYTES_READ = 64 * 1024;
const MAX_BYTES_KEPT = 4 * 1024;
const MAX_HEADERS_KEPT = 50;
const MAX_HEADER_BYTES = 1024;

/** Answers without a body (RFC 9110): whatever follows them takes nothing from them. */
const BODILESS = [204, 304];

/** What is kept of an answer, which may have broken off. */
export interface Answer {
  statusCode: number;
  /** The first 50, each value cut at 1 KiB, repeated ones joined by commas. */
  headers: Record<string, string>;
  /** The first 4 KiB of the body. */
  text: string;
  /** Why the body ended before its end; null when it was complete, or longer than anybody wants to read. */
  failure: Error | null;
  /** The header, which need not be among those that are kept. */
  retryAfter: string | undefined;
}

/**
 * Takes the answer to one request as undici brings it, reads at most 64 KiB of it and lets go of the rest, and with it of
 * the connection. Settles once: with an answer as soon as there was a status, else with the error.
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

  /** undici asks for it; the deadline ends the whole connection, so nothing is left to do with the controller. */
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
    controller.abort(new Error('Longer than anybody wants to read'));
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

/** In stream mode the decoder leaves out a character that the cut went through. */
function storable(bytes: Buffer, isCut: boolean): string {
  return withoutNul(new TextDecoder().decode(bytes, { stream: isCut }));
}

/** PostgreSQL takes no NUL in text. */
function withoutNul(text: string): string {
  return text.includes('\u0000') ? text.replaceAll('\u0000', '\ufffd') : text;
}
