import { LRUCache } from 'lru-cache';
import { hearsAnnouncements } from '../db/listen.ts';
import { clock } from '../kernel/clock.ts';
import { CodedError } from '../kernel/errors.ts';
import { sha256 } from '../kernel/secrets.ts';
import { signals } from '../kernel/signals.ts';
import { ApiKey } from '../models/ApiKey.ts';
import { Project } from '../models/Project.ts';
import { noteKeyUse } from './keyUse.ts';
import type { KeyPrincipal } from './principal.ts';
import { expandScopes } from './scopes.ts';

interface KnownKey {
  principal: KeyPrincipal;
  /** Milliseconds since the epoch, or infinity. */
  validUntil: number;
}

/** A key is looked up anew after this long even when nothing was announced about it. */
const REMEMBER_MS = 30_000;

const known = new LRUCache<string, KnownKey>({ max: 10_000, ttl: REMEMBER_MS });
/** Grows with every change of a key, so that a look-up that began before the change is not remembered after it. */
let changes = 0;
signals.on('key', (hash) => {
  changes += 1;
  known.delete(hash);
});
signals.onMissed(() => {
  changes += 1;
  known.clear();
});

/** The principal of a key as it was sent. Throws `invalid_key` when it is unknown, revoked or expired. */
export async function verifyKey(sent: string): Promise<KeyPrincipal> {
  const hash = sha256(sent);
  const entry = (hearsAnnouncements() && known.get(hash)) || (await lookUp(hash));
  if (!entry || entry.validUntil <= clock.now()) {
    throw new CodedError('invalid_key', 'The key is unknown, revoked or expired.');
  }
  noteKeyUse(entry.principal.keyId);
  return entry.principal;
}

async function lookUp(hash: string): Promise<KnownKey | null> {
  const before = changes;
  const key = await ApiKey.findOne({ where: { hash } });
  const project = key && (await Project.findByPk(key.projectId));
  if (!key || !project) return null;
  const entry: KnownKey = {
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
  if (changes === before) known.set(hash, entry);
  return entry;
}
