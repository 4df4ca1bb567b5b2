import { hearsAnnouncements } from '../db/connection/listen.ts';
import { ofStore } from '../db/ofStore.ts';
import { Op } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock, now } from '../kernel/clock.ts';
import { CodedError } from '../kernel/errors.ts';
import { log } from '../kernel/log.ts';
import { ReadThroughCache } from '../kernel/ReadThroughCache.ts';
import { sha256 } from '../kernel/secrets.ts';
import { signals } from '../kernel/signals.ts';
import { ApiKey } from '../models/ApiKey.ts';
import { Project } from '../models/Project.ts';
import type { KeyPrincipal } from './principal.ts';
import { expandScopes } from './scopes.ts';

interface CachedKey {
  principal: KeyPrincipal;
  /** Milliseconds since the epoch, or infinity. */
  validUntil: number;
}

/** A cached key is read again after this time, even when no change of it was announced. */
const CACHE_MS = 30_000;
/** The contract allows `last_used_at` to be a minute old; half of that leaves time for the write. */
const WRITE_EVERY_MS = 30_000;

/** The keys that were read lately, and those that were used since that was written down. */
class KnownKeys {
  readonly #cache = new ReadThroughCache<CachedKey>({ max: 10_000, ttlMs: CACHE_MS });
  /** Ids of keys that were used since the last write. */
  readonly #used = new Set<string>();
  /** Ids of keys whose last use is not written yet. */
  readonly #unused = new Set<string>();
  readonly #subscriptions = [
    signals.on('key', (hash) => this.#cache.invalidate(hash)),
    // It may have been deleted or restored. Projects change too rarely for an index of their keys.
    signals.on('project', () => this.#cache.clear()),
    signals.onMissed(() => this.#cache.clear()),
  ];
  #timer: NodeJS.Timeout | undefined;

  async find(hash: string): Promise<CachedKey | null> {
    return (hearsAnnouncements() && this.#cache.get(hash)) || (await this.#read(hash));
  }

  /** Records that a key was used; one write covers many uses. The first is written at once: somebody waits for it in the dashboard. */
  recordUse(keyId: string): void {
    this.#used.add(keyId);
    if (this.#unused.delete(keyId)) return void this.#flush();
    this.#timer ??= setTimeout(() => void this.#flush(), WRITE_EVERY_MS).unref();
  }

  /** Writes the recorded uses. */
  close(): Promise<void> {
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    return this.#flush();
  }

  /** Unknown keys are not cached: anyone can invent any number of them. */
  async #read(hash: string): Promise<CachedKey | null> {
    const [[, loaded] = []] = await this.#cache.load(async () => {
      const key = await ApiKey.findOne({ where: { hash } });
      const entry = await entryOf(key);
      if (entry && key?.lastUsedAt === null) this.#unused.add(key.id);
      return entry ? [[hash, entry]] : [];
    });
    return loaded ?? null;
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const ids = [...this.#used];
    this.#used.clear();
    if (ids.length === 0) return;
    try {
      await inTransaction((transaction) =>
        ApiKey.update({ lastUsedAt: now() }, { where: { id: { [Op.in]: ids } }, silent: true, transaction }),
      );
    } catch (error) {
      log.warn({ err: error }, 'the last use of keys could not be written');
    }
  }
}

const keys = ofStore(
  () => new KnownKeys(),
  (known) => known.close(),
);

/** The principal of a key as it was sent. Throws `invalid_key` when it is unknown, revoked or expired, or of a deleted project. */
export async function verifyKey(sent: string): Promise<KeyPrincipal> {
  const known = keys();
  const entry = await known.find(sha256(sent));
  if (!entry || entry.validUntil <= clock.now()) {
    throw new CodedError('invalid_key', 'The key is unknown, revoked or expired.');
  }
  known.recordUse(entry.principal.keyId);
  return entry.principal;
}

/** What a key may do now, read from the store; null once it is revoked or expired, or its project is deleted. */
export async function currentKeyPrincipal(keyId: string): Promise<KeyPrincipal | null> {
  const entry = await entryOf(await ApiKey.findByPk(keyId));
  return entry && entry.validUntil > clock.now() ? entry.principal : null;
}

async function entryOf(key: ApiKey | null): Promise<CachedKey | null> {
  const project = key && (await Project.findByPk(key.projectId));
  if (!key || !project) return null;
  return {
    principal: {
      kind: 'key',
      keyId: key.id,
      keyKind: key.kind,
      projectId: key.projectId,
      teamId: project.teamId,
      scopes: new Set(expandScopes(key.scopes)),
    },
    validUntil: key.endsAt?.getTime() ?? Number.POSITIVE_INFINITY,
  };
}
