import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { config } from '../kernel/config.ts';
import { log, WarningThrottle } from '../kernel/log.ts';
import { whileSame } from '../kernel/memoize.ts';
import { sha256 } from '../kernel/secrets.ts';
import { Blocklist } from './Blocklist.ts';

const warnings = new WarningThrottle((message) => log.warn(message));

/** The files that a setting names. They are checked on demand, so there is nothing to start or stop; concurrent callers share one check. */
class BlocklistFiles {
  readonly #files: BlocklistFile[];
  #refreshing: Promise<unknown> = Promise.resolve();
  /** On the monotonic clock. */
  #nextRefreshMs = 0;

  constructor(paths: string | null) {
    const each = (paths ?? '').split(',').map((path) => path.trim());
    this.#files = each
      .filter((path) => path !== '')
      .map((path) => new BlocklistFile(path, (message) => warnings.warn(path, message)));
  }

  async load(): Promise<Blocklist[]> {
    if (this.#files.length === 0) return [];
    if (performance.now() >= this.#nextRefreshMs) {
      this.#nextRefreshMs = performance.now() + config.blocklistReloadSeconds * 1000;
      this.#refreshing = Promise.all(this.#files.map((file) => file.refresh()));
    }
    await this.#refreshing;
    return this.#files.map((file) => file.list);
  }

  get fingerprint(): string | null {
    return this.#files.length === 0 ? null : sha256(this.#files.map(({ fingerprint }) => fingerprint).join(' '));
  }
}

const files = whileSame(
  () => config.blocklistFiles,
  (paths) => new BlocklistFiles(paths),
);

/** The lists of `blocklistFiles`, at most `blocklistReloadSeconds` old. */
export function loadBlocklists(): Promise<Blocklist[]> {
  return files().load();
}

/** A hash of all lists as `loadBlocklists` last returned them; null if there are no lists. */
export function blocklistFingerprint(): string | null {
  return files().fingerprint;
}

/** A file that changed less than this ago may still be being written. */
const SETTLED_MS = 1000;
/** A file without a final line break is probably incomplete; after this time it counts as complete all the same. */
const UNTERMINATED_SETTLED_MS = 20_000;

/** A blocklist file and the list last read from it. If the file cannot be read completely, the old list stays in force. */
export class BlocklistFile {
  readonly #path: string;
  readonly #warn: (message: string) => void;
  #list: Blocklist | null = null;
  #version = '';
  #fingerprint = '';

  constructor(path: string, warn: (message: string) => void) {
    this.#path = path;
    this.#warn = warn;
  }

  /** The list last read; empty before the first read. */
  get list(): Blocklist {
    return this.#list ?? new Blocklist();
  }

  /** A hash of the content last read; empty before the first read. */
  get fingerprint(): string {
    return this.#fingerprint;
  }

  /** Reads the file if it has changed since the last read. Never rejects. */
  async refresh(): Promise<void> {
    try {
      const file = await open(this.#path);
      try {
        await this.#read(file);
      } finally {
        await file.close();
      }
    } catch (error) {
      this.#warn(`The blocklist ${this.#path} cannot be read (${(error as Error).message}); ${this.#consequence()}`);
    }
  }

  async #read(file: FileHandle): Promise<void> {
    const before = await versionOf(file);
    if (before === this.#version) return;
    const isWhole = await seemsWhole(file);
    // A first list that may be incomplete is better than none; it is read again at the next refresh.
    if (!isWhole && this.#list) {
      this.#warn(
        `The blocklist ${this.#path} is being written, or does not end with a line break; ${this.#consequence()}`,
      );
      return;
    }
    const { list, badLines, fingerprint } = await parse(this.#path, file);
    const isUnchanged = (await versionOf(file)) === before;
    if (!isUnchanged && this.#list) return;
    this.#list = list;
    this.#fingerprint = fingerprint;
    this.#version = isWhole && isUnchanged ? before : '';
    if (badLines > 0) this.#warn(`The blocklist ${this.#path} has ${badLines} lines that are neither host nor URL.`);
  }

  #consequence(): string {
    return this.#list ? 'the previous list stays in force.' : 'no list is in force.';
  }
}

async function versionOf(file: FileHandle): Promise<string> {
  const { ino, size, mtimeMs } = await file.stat();
  return `${ino} ${size} ${mtimeMs}`;
}

/** Uses the system clock, as file times do. A time in the future does not tell when the file was written. */
async function seemsWhole(file: FileHandle): Promise<boolean> {
  const { size, mtimeMs } = await file.stat();
  const last = Buffer.alloc(1);
  if (size > 0) await file.read(last, 0, 1, size - 1);
  const ageMs = Date.now() - mtimeMs;
  return ageMs < 0 || ageMs >= (last.toString() === '\n' ? SETTLED_MS : UNTERMINATED_SETTLED_MS);
}

/** Reads chunk by chunk, because parsing a million lines at once would delay every redirect of the process. */
async function parse(
  path: string,
  file: FileHandle,
): Promise<{ list: Blocklist; badLines: number; fingerprint: string }> {
  const list = new Blocklist();
  const hash = createHash('sha256');
  let badLines = 0;
  let rest = '';
  const stream = createReadStream(path, { fd: file, encoding: 'utf8', autoClose: false, start: 0 });
  for await (const chunk of stream) {
    hash.update(chunk);
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (!list.add(line)) badLines += 1;
  }
  if (!list.add(rest)) badLines += 1;
  return { list, badLines, fingerprint: hash.digest('hex') };
}
