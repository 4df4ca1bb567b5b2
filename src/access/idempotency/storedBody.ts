import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { sealFor, unsealFor } from '../../db/sealedColumns.ts';
import { clock } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { CodedError } from '../../kernel/errors.ts';

/** The body of an answer as it is stored. */
export interface StoredBody {
  body: string;
  isSealed: boolean;
  isCompressed: boolean;
}

/** From so many characters on bodies are compressed: those of bulk calls to a tenth, a single resource is smaller. */
const LARGE = 16 * 1024;
/** A thread compresses 100 MB a second so; higher levels take three times as long for a tenth less. */
const FAST = { level: 3 };

const compress = promisify(deflate) as (text: string, options: object) => Promise<Buffer>;
const decompress = promisify(inflate);

/** Whose answer it is: what is sealed can be read there alone. */
interface Owner {
  keyId: string;
  idempotencyKey: string;
}

export async function packBody(body: string, isSecret: boolean, { keyId, idempotencyKey }: Owner): Promise<StoredBody> {
  const isCompressed = body.length >= LARGE;
  const text = isCompressed ? (await compress(body, FAST)).toString('base64') : body;
  return {
    body: isSecret ? sealFor('storedAnswer', [keyId, idempotencyKey], text) : text,
    isSealed: isSecret,
    isCompressed,
  };
}

export async function unpackBody(
  { body, isSealed, isCompressed }: StoredBody,
  { keyId, idempotencyKey }: Owner,
): Promise<string> {
  const text = isSealed ? unsealFor('storedAnswer', [keyId, idempotencyKey], body) : body;
  return isCompressed ? (await decompress(Buffer.from(text, 'base64'))).toString('utf8') : text;
}

/** What a key has had stored since its window began, by this process. */
interface Kept {
  bytes: number;
  endsAt: number;
}

const kept = new LRUCache<string, Kept>({ max: 10_000 });

/** Counts a stored answer against the room of its key. */
export function countStored(keyId: string, { body }: StoredBody): void {
  const known = keptOf(keyId);
  known.bytes += body.length;
  kept.set(keyId, known);
}

/** Refuses a key whose answers fill the disk, before it acts. Throws `rate_limited`. */
export function refuseWithoutRoom(keyId: string): void {
  const { bytes, endsAt } = keptOf(keyId);
  if (bytes < config.idempotencyMegabytes * 1_000_000) return;
  const message = `The answers to this key that are kept for repeats have ${config.idempotencyMegabytes} MB. Send requests with smaller answers, or without an Idempotency-Key, until the first of them are deleted.`;
  throw new CodedError('rate_limited', message, {
    retryAfterSeconds: Math.max(1, Math.ceil((endsAt - clock.now()) / 1000)),
  });
}

/** A window is as long as answers are kept: no more than twice the room is ever used. */
function keptOf(keyId: string): Kept {
  const known = kept.get(keyId);
  return known && known.endsAt > clock.now()
    ? known
    : { bytes: 0, endsAt: clock.now() + config.idempotencySeconds * 1000 };
}
