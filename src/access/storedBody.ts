import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { ofStore } from '../db/ofStore.ts';
import { sealFor, unsealFor } from '../db/sealedColumns.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { CodedError } from '../kernel/errors.ts';

/** The body of a response as it is stored. */
export interface StoredBody {
  body: string;
  isSealed: boolean;
  isCompressed: boolean;
}

/** Characters from which bodies are compressed: those of bulk calls shrink to a tenth, single resources are smaller. */
const COMPRESS_FROM = 16 * 1024;
/** At level 3 a thread compresses 100 MB a second; higher levels take three times as long to save another tenth. */
const COMPRESSION = { level: 3 };

const compress = promisify(deflate) as (text: string, options: object) => Promise<Buffer>;
const decompress = promisify(inflate);

/** The record that a response belongs to: what is encrypted for one record cannot be read in another. */
interface Owner {
  keyId: string;
  idempotencyKey: string;
}

/** Compresses a long body, and encrypts one that holds a secret. */
export async function packBody(body: string, isSecret: boolean, { keyId, idempotencyKey }: Owner): Promise<StoredBody> {
  const isCompressed = body.length >= COMPRESS_FROM;
  const text = isCompressed ? (await compress(body, COMPRESSION)).toString('base64') : body;
  return {
    body: isSecret ? sealFor('storedAnswer', [keyId, idempotencyKey], text) : text,
    isSealed: isSecret,
    isCompressed,
  };
}

/** The body as `packBody` was given it. */
export async function unpackBody(
  { body, isSealed, isCompressed }: StoredBody,
  { keyId, idempotencyKey }: Owner,
): Promise<string> {
  const text = isSealed ? unsealFor('storedAnswer', [keyId, idempotencyKey], body) : body;
  return isCompressed ? (await decompress(Buffer.from(text, 'base64'))).toString('utf8') : text;
}

/** The bytes that this process has stored for an API key since the key's window began. */
interface KeyStorage {
  bytes: number;
  endsAt: number;
}

const storage = ofStore(() => new LRUCache<string, KeyStorage>({ max: 10_000 }));

/** Counts a stored response against the storage limit of its API key. */
export function countStoredBytes(keyId: string, { body }: StoredBody): void {
  const known = storageOf(keyId);
  known.bytes += body.length;
  storage().set(keyId, known);
}

/** Throws `rate_limited` when the responses stored for an API key exceed IDEMPOTENCY_MEGABYTES, so that none fills the disk. */
export function refuseOverStorageLimit(keyId: string): void {
  const { bytes, endsAt } = storageOf(keyId);
  if (bytes < config.idempotencyMegabytes * 1_000_000) return;
  const message = `The responses stored for repeated requests of this API key exceed ${config.idempotencyMegabytes} MB. Send requests with smaller responses, or without an Idempotency-Key, until the oldest have been deleted.`;
  throw new CodedError('rate_limited', message, {
    retryAfterSeconds: Math.max(1, Math.ceil((endsAt - clock.now()) / 1000)),
  });
}

/** A window is as long as responses are kept, so that never more than twice the limit is stored. */
function storageOf(keyId: string): KeyStorage {
  const known = storage().get(keyId);
  return known && known.endsAt > clock.now()
    ? known
    : { bytes: 0, endsAt: clock.now() + config.idempotencySeconds * 1000 };
}
