import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import type { Upload } from '../schema/context.ts';
import { config } from '../src/kernel/config.ts';
import { CodedError } from '../src/kernel/errors.ts';
import { awaitBody } from '../src/kernel/incomingRequest.ts';
import { parseBody } from './parseJson.ts';
import type { CompiledRoute } from './route.ts';

/** Largest CSV file. */
export const CSV_LIMIT = 50_000_000;
/** How much of a body that is too large is read and discarded before the connection is closed instead. */
const DRAIN_LIMIT = 100 * 1024 * 1024;

/** The body of a request. `value` is its JSON; undefined if there is none. */
export interface Body {
  value: unknown;
  sha256: string;
  upload: Upload | null;
}

export const NO_BODY: Body = { value: undefined, sha256: '', upload: null };

/**
 * Reads the body that a route accepts. Throws `unsupported_media_type`, `payload_too_large` (after the whole request was read),
 * `request_timeout`, `invalid_json`.
 */
export async function readBody(request: IncomingMessage, route: CompiledRoute): Promise<Body> {
  if (route.method === 'GET' || route.method === 'DELETE') return NO_BODY;
  if (route.takes !== 'csv') return awaitBody(request, config.requestSeconds, readJson(request, route));
  const reading = readCsv(request);
  try {
    return await awaitBody(request, config.uploadSeconds, reading);
  } catch (error) {
    // The upload may still have completed, a moment too late.
    void reading.then(({ upload }) => upload?.remove()).catch(() => {});
    throw error;
  }
}

async function readJson(request: IncomingMessage, { needsBody, bodyLimit, on }: CompiledRoute): Promise<Body> {
  const limit = bodyLimit ?? on.bodyLimit;
  const mediaProblem = mediaTypeProblem(request, 'application/json');
  const bytes = await readAll(request, limit);
  if (bytes?.length === 0 && !needsBody) return NO_BODY;
  if (mediaProblem) throw new CodedError('unsupported_media_type', mediaProblem);
  if (!bytes) throw tooLarge(limit);
  return { value: await parseBody(bytes), sha256: createHash('sha256').update(bytes).digest('hex'), upload: null };
}

async function readCsv(request: IncomingMessage): Promise<Body> {
  const mediaProblem = mediaTypeProblem(request, 'text/csv');
  if (mediaProblem) {
    await readAll(request, 0);
    throw new CodedError('unsupported_media_type', mediaProblem);
  }
  const upload = await spool(request, CSV_LIMIT, DRAIN_LIMIT);
  if (!upload) throw tooLarge(CSV_LIMIT);
  return { value: undefined, sha256: upload.sha256, upload };
}

/** Reads a request to its end. Returns null when it is larger than the limit. */
export async function readAll(request: IncomingMessage, limit: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    if (size > DRAIN_LIMIT) break;
  }
  return size <= limit ? Buffer.concat(chunks) : null;
}

/** A file that came as a text, as an upload. The caller removes it. */
export async function uploadOf(text: string): Promise<Body> {
  const upload = await spool([Buffer.from(text)], CSV_LIMIT, CSV_LIMIT);
  if (!upload) throw tooLarge(CSV_LIMIT);
  return { value: undefined, sha256: upload.sha256, upload };
}

function mediaTypeProblem({ headers }: IncomingMessage, wanted: string): string | null {
  if (headers['content-encoding'] && headers['content-encoding'] !== 'identity')
    return 'The body must not be compressed.';
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  if (type !== wanted) return `The body must have Content-Type: ${wanted}.`;
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  return charset === undefined || charset === 'utf-8' || charset === 'utf8' ? null : 'The body must be UTF-8.';
}

function tooLarge(limit: number): CodedError {
  const shown = limit % 1024 === 0 ? `${limit / 1024} KiB` : `${limit / 1_000_000} MB`;
  return new CodedError('payload_too_large', `The body is larger than ${shown}.`);
}

/** Deletes the uploads of a process that died. DATA_DIR belongs to this process only. */
export async function forgetUploads(): Promise<void> {
  await rm(uploads(), { recursive: true, force: true });
}

function uploads(): string {
  return path.join(config.dataDir, 'uploads');
}

/**
 * Writes a body to a file as it arrives, in constant memory. Returns null when it is larger than `limit`; then the rest is
 * read, up to `drainLimit`, and discarded. So it is when the file cannot be written, before that error is thrown: the client
 * would otherwise see a broken connection instead of the answer.
 */
async function spool(
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  limit: number,
  drainLimit: number,
): Promise<Upload | null> {
  const file = path.join(uploads(), randomUUID());
  const remove = () => rm(file, { force: true });
  const hash = createHash('sha256');
  const upload = await UploadFile.open(file);
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > drainLimit) break;
      if (bytes > limit) continue;
      hash.update(chunk);
      await upload.append(chunk);
    }
  } catch (error) {
    await upload.close().catch(() => {});
    await remove();
    throw error;
  }
  const failure = await upload.close().catch((error: unknown) => error);
  if (!failure && bytes <= limit) return { path: file, bytes, sha256: hash.digest('hex'), remove };
  await remove().catch(() => {});
  if (failure) throw failure;
  return null;
}

/** A new file that is written whole, or whose `close` throws what was wrong first. */
class UploadFile {
  #failure: unknown;

  private constructor(private readonly handle: FileHandle | null) {}

  static async open(file: string): Promise<UploadFile> {
    try {
      await mkdir(path.dirname(file), { recursive: true });
      return new UploadFile(await open(file, 'wx', 0o600));
    } catch (error) {
      const failed = new UploadFile(null);
      failed.#failure = error;
      return failed;
    }
  }

  async append(chunk: Buffer): Promise<void> {
    if (this.#failure) return;
    // Not `write`, which may write a part, on a disk that fills, and says so only in its result.
    await this.handle?.appendFile(chunk).catch((error: unknown) => {
      this.#failure = error;
    });
  }

  /** Some network disks report only here that they are full. */
  async close(): Promise<void> {
    await this.handle?.close();
    if (this.#failure) throw this.#failure;
  }
}
