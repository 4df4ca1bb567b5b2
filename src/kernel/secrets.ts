import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from './config.ts';

/** A stored secret needs a key that is not configured; `message` says what to do. */
export class SealedWithAnotherKey extends Error {
  override message = 'A stored secret was encrypted with another SECRET_KEY. Add that key to SECRET_KEY_PREVIOUS.';
}

/** The store has sealed values, but the file with their key is gone; `message` says what to do. */
export class KeyFileMissing extends Error {}

interface MasterKey {
  /** First 8 hex digits of the key's hash, by which a sealed value names its key. */
  id: string;
  key: Buffer;
}

let masterKeys: MasterKey[] = [];
/** Derived on first use and cached, because every click needs them. */
const macKeysByPurpose = new Map<string, KeyObject[]>();

/** A new key that is in no file yet. */
let newKey: { file: string; passphrase: string } | null = null;

/**
 * Loads SECRET_KEY, and SECRET_KEY_PREVIOUS for reading. Without them the key is kept in a file in DATA_DIR (mode 0600). Where there
 * is none, a new key is made, which `keepNewKey` has to write before anything is sealed: the store may need the one that is missing.
 */
export async function openSecrets(config: Pick<Config, 'secretKey' | 'secretKeyPrevious' | 'dataDir'>): Promise<void> {
  newKey = null;
  const passphrase = config.secretKey ?? (await keyInDataDir(config.dataDir));
  masterKeys = [passphrase, ...(config.secretKeyPrevious ?? [])].map(masterKeyOf);
  macKeysByPurpose.clear();
}

function masterKeyOf(given: string): MasterKey {
  const key = Buffer.from(hkdfSync('sha256', given, 'svc', 'stored secrets', 32));
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key };
}

/** The id of the key that is used at present, which is in every sealed value. */
export function presentKeyId(): string | null {
  return masterKeys[0]?.id ?? null;
}

/** The id of the key that these settings name; null where there is none yet. Nothing is created. */
export async function keyIdOf({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): Promise<string | null> {
  const given = secretKey ?? (await readFile(keyFileIn(dataDir), 'utf8').catch(() => null))?.trim();
  return given ? masterKeyOf(given).id : null;
}

/**
 * A 32-byte key to sign with, derived for one purpose, so that a signature for one is never valid for another. A prepared
 * KeyObject makes signatures ten times as fast.
 */
export function macKey(purpose: string): KeyObject {
  return macKeys(purpose)[0] as KeyObject;
}

/** The current key first, then those of SECRET_KEY_PREVIOUS, so that signatures stay valid when the key is changed. */
export function macKeys(purpose: string): KeyObject[] {
  if (masterKeys.length === 0) throw new Error('openSecrets() has not run');
  let keys = macKeysByPurpose.get(purpose);
  if (!keys) {
    keys = masterKeys.map(({ key }) => createSecretKey(Buffer.from(hkdfSync('sha256', key, 'svc mac', purpose, 32))));
    macKeysByPurpose.set(purpose, keys);
  }
  return keys;
}

/** A public value that identifies this installation; the same in all of its processes. */
export function instanceMark(): string {
  return createHmac('sha256', macKey('instance')).update('svc').digest('hex').slice(0, 32);
}

/**
 * Encrypts with AES-256-GCM: `v2.<key id>.<base64url of nonce, tag and ciphertext>`. `place` (`table:column:id`) is
 * authenticated too: somebody who can write to the store, but has no key, cannot move the value to another row or column.
 */
export function seal(plain: string, place: string): string {
  const master = masterKeys[0];
  if (!master) throw new Error('openSecrets() has not run');
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', master.key, nonce).setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return `v2.${master.id}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
}

/**
 * Reverses `seal`. Values of version 1, which did not authenticate the place, are accepted anywhere. Throws when the value
 * was sealed for another place, or with a key that is neither the current nor a previous one.
 */
export function unseal(sealed: string, place: string): string {
  const [version, keyId, payload] = sealed.split('.');
  const master = masterKeys.find((candidate) => candidate.id === keyId);
  if ((version !== 'v1' && version !== 'v2') || !payload) throw new Error('Not a sealed value');
  if (!master) throw new SealedWithAnotherKey();
  const bytes = Buffer.from(payload, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', master.key, bytes.subarray(0, 12));
  if (version === 'v2') decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}

/** Whether a value is sealed with the current key and bound to its place. */
export function isSealedByPresentKey(sealed: string): boolean {
  return sealed.startsWith(`v2.${masterKeys[0]?.id}.`);
}

/** How values begin that were sealed with the current key or a previous one. */
export function sealedPrefixes(): string[] {
  return masterKeys.flatMap(({ id }) => [`v1.${id}.`, `v2.${id}.`]);
}

/** SHA-256 in lowercase hex, the form in which API keys and session tokens are stored. */
export function sha256(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** `bytes` random bytes in base64url. */
export function randomToken(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

function keyFileIn(dataDir: string): string {
  return path.join(dataDir, 'secret.key');
}

async function keyInDataDir(dataDir: string): Promise<string> {
  const file = keyFileIn(dataDir);
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  newKey = { file, passphrase: randomToken(32) };
  return newKey.passphrase;
}

/** The file that lacks the key; null when the key was there, or has been kept since. */
export function fileOfNewKey(): string | null {
  return newKey?.file ?? null;
}

/** Writes a key that `openSecrets` made. */
export async function keepNewKey(): Promise<void> {
  if (!newKey) return;
  const { file, passphrase } = newKey;
  await mkdir(path.dirname(file), { recursive: true });
  // Written to a draft and then linked: a crash leaves no partial key, and an existing key is never replaced.
  const draft = `${file}.${process.pid}`;
  try {
    await writeFile(draft, `${passphrase}\n`, { mode: 0o600, flush: true });
    await chmod(draft, 0o600);
    await link(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  newKey = null;
}
