import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Blocklist } from './Blocklist.ts';

/** A file that changed this short a time ago may still be written. */
const SETTLED_MS = 1000;
/** One whose last line has no end probably is; after this long it is taken for whole all the same. */
const CUT_OFF_SETTLED_MS = 20_000;

/** One blocklist file and what was last read of it. A file that can't be read whole leaves the former list in force. */
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

  /** What was read last; empty before. */
  get list(): Blocklist {
    return this.#list ?? new Blocklist();
  }

  /** Of what the file held when it was read last; empty before. */
  get fingerprint(): string {
    return this.#fingerprint;
  }

  /** Reads the file if it is another than last time. Never rejects. */
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
    // A first list that may be incomplete is better than none; it is read again at the next look.
    if (!isWhole && this.#list) {
      this.#warn(
        `The blocklist ${this.#path} is being written, or has no line break at its end; ${this.#consequence()}`,
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
    return this.#list ? 'the list that was read before stays in force.' : 'there is no list to go by.';
  }
}

async function versionOf(file: FileHandle): Promise<string> {
  const { ino, size, mtimeMs } = await file.stat();
  return `${ino} ${size} ${mtimeMs}`;
}

/** Goes by the system's clock, as the times of files do. A time to come says nothing about when it was written. */
async function seemsWhole(file: FileHandle): Promise<boolean> {
  const { size, mtimeMs } = await file.stat();
  const last = Buffer.alloc(1);
  if (size > 0) await file.read(last, 0, 1, size - 1);
  const ageMs = Date.now() - mtimeMs;
  return ageMs < 0 || ageMs >= (last.toString() === '\n' ? SETTLED_MS : CUT_OFF_SETTLED_MS);
}

/** Chunk by chunk, because a million lines at once would hold up every redirect of the process. */
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
