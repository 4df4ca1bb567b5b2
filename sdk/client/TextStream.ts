import { chunksOf } from './chunksOf.ts';
import type { SvcAnswer } from './SvcAnswer.ts';

/** A file of text that is sent as it is made. `for await` gives its parts; nothing is asked for before. */
export class TextStream implements AsyncIterable<string> {
  readonly #ask: () => Promise<SvcAnswer>;
  readonly #idleSeconds: number;
  readonly #signal: AbortSignal | undefined;

  constructor(ask: () => Promise<SvcAnswer>, idleSeconds: number, signal?: AbortSignal) {
    this.#ask = ask;
    this.#idleSeconds = idleSeconds;
    this.#signal = signal;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    for await (const bytes of this.bytes()) {
      const text = decoder.decode(bytes, { stream: true });
      if (text) yield text;
    }
    const rest = decoder.decode();
    if (rest) yield rest;
  }

  /** The parts as they come. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    const { stream } = await this.#ask();
    if (stream) yield* chunksOf(stream, this.#idleSeconds, this.#signal);
  }

  /** The whole file. */
  async text(): Promise<string> {
    let whole = '';
    for await (const part of this) whole += part;
    return whole;
  }
}
