import type { IncomingMessage } from 'node:http';
import { CodedError } from '../src/kernel/errors.ts';
import { isDeeperThan, MAX_NESTING } from '../src/kernel/nesting.ts';

/** Largest body of an ordinary request. */
const BODY_LIMIT = 256 * 1024;
/** What is read and thrown away of a body that is too large before the connection is cut instead. */
const DRAIN_LIMIT = 100 * 1024 * 1024;

/**
 * The JSON object in the body; undefined when there is none and none is needed. Throws `unsupported_media_type`,
 * `payload_too_large` (after the whole request was read), `invalid_json`.
 */
export async function readJson(request: IncomingMessage, isNeeded: boolean): Promise<unknown> {
  const mediaProblem = mediaTypeProblem(request);
  const bytes = await readAll(request);
  if (bytes?.length === 0 && !isNeeded) return undefined;
  if (mediaProblem) throw new CodedError('unsupported_media_type', mediaProblem);
  if (!bytes) throw new CodedError('payload_too_large', `The body is larger than ${BODY_LIMIT / 1024} KiB.`);
  return parse(bytes);
}

/** Reads a request to its end; null when it was larger than the limit. */
async function readAll(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_LIMIT) chunks.push(chunk);
    if (size > DRAIN_LIMIT) break;
  }
  return size <= BODY_LIMIT ? Buffer.concat(chunks) : null;
}

function mediaTypeProblem({ headers }: IncomingMessage): string | null {
  if (headers['content-encoding'] && headers['content-encoding'] !== 'identity')
    return 'The body must not be compressed.';
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  if (type !== 'application/json') return 'The body must have Content-Type: application/json.';
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  return charset === undefined || charset === 'utf-8' || charset === 'utf8' ? null : 'The body must be UTF-8.';
}

function parse(bytes: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new CodedError('invalid_json', 'The body is not JSON in UTF-8.');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new CodedError('invalid_json', 'The body must be a JSON object.');
  }
  if (isDeeperThan(value, MAX_NESTING))
    throw new CodedError('invalid_json', `The body nests deeper than ${MAX_NESTING} levels.`);
  return value;
}
