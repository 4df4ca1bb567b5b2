import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file in a ZIP; `bytes` and `sha256` are those of its content before compression. */
export interface FileFacts {
  path: string;
  rows: number;
  bytes: number;
  sha256: string;
}

/** A piece of a file, and how many rows it has. */
export interface Piece {
  text: string;
  rows: number;
}

/** Writes the files of a ZIP one after the other, each piece when the one before has been taken. */
export class ZipWriter {
  readonly #zip: ZipFile;
  readonly #signal: AbortSignal;
  readonly files: FileFacts[] = [];

  constructor(zip: ZipFile, signal: AbortSignal) {
    this.#zip = zip;
    this.#signal = signal;
  }

  /** Adds a file and waits until its content has been read. Throws what `pieces` throws, and an AbortError. */
  async add(path: string, pieces: AsyncIterable<Piece> | Iterable<Piece>): Promise<void> {
    const facts: FileFacts = { path, rows: 0, bytes: 0, sha256: '' };
    const hash = createHash('sha256');
    async function* measured() {
      for await (const { text, rows } of pieces) {
        const bytes = Buffer.from(text);
        facts.rows += rows;
        facts.bytes += bytes.length;
        hash.update(bytes);
        yield bytes;
      }
    }
    const content = Readable.from(measured(), { objectMode: false });
    // Its size is known too late for a header that has room for 4 GiB only.
    this.#zip.addReadStream(content, path, { forceZip64Format: true });
    try {
      await finished(content, { signal: this.#signal });
    } finally {
      content.destroy();
    }
    this.files.push({ ...facts, sha256: hash.digest('hex') });
  }
}

/**
 * Sends a ZIP as fast as the client reads it. When `fill` throws, `signal` is aborted or the client leaves, the connection is
 * destroyed before the ZIP has its directory, so that nobody takes the part for the whole.
 */
export async function sendZip(
  response: ServerResponse,
  signal: AbortSignal,
  fill: (writer: ZipWriter) => Promise<void>,
): Promise<void> {
  const zip = new ZipFile();
  const broken = new AbortController();
  const ended = AbortSignal.any([signal, broken.signal]);
  const sent = pipeline(zip.outputStream, response, { signal: ended });
  sent.catch(() => broken.abort());
  try {
    await fill(new ZipWriter(zip, ended));
    zip.end();
  } catch (error) {
    broken.abort();
    await sent.catch(() => {});
    throw error;
  }
  await sent;
}
