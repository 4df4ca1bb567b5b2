import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { atEnd } from './atEnd.ts';
import { inRoot } from './root.ts';

const MAIN = inRoot('dist/app/main.js');
const READY_MS = 240_000;

/** What a process of the product takes over from that of the tests: none of its settings. Compiled code is kept for the next one. */
export const PROCESS_ENV = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? inRoot('.cache/compiled'),
};

/** Makes a start cheap: the room for links in memory is taken at once, and tests have few. */
const QUICK = { HOST: '127.0.0.1', ALLOW_PRIVATE_TARGETS: 'true', LINK_CACHE_ENTRIES: '1000' };

/** The product as a process of its own, to be killed. */
export interface Child {
  origin: string;
  /** What the first start on a store leaves in a file; throws for a later one. */
  readonly secretKey: string;
  readonly publishableKey: string;
  /** Everything that it printed. */
  printed(): string;
  /** Ends it in an instant, as a power cut does to a process. */
  kill(): Promise<void>;
  /** Stops it in the middle of whatever it does, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Asks it to end and gives its exit code. */
  terminate(): Promise<number | null>;
}

/** What node runs, where, and which node: the built product, and the node of the tests unless they are given. */
interface Program {
  args?: string[];
  cwd?: string;
  node?: string;
  /** Hears what it prints, also before it is ready. */
  hear?(text: string): void;
}

/** Starts the built product on a fixed port and waits until it is ready. Throws with its output when it ends before. */
export async function startChild(
  port: number,
  env: Record<string, string>,
  { args = [MAIN], cwd, node = process.execPath, hear: hearToo }: Program = {},
): Promise<Child> {
  const child = spawn(node, args, {
    cwd,
    env: { ...PROCESS_ENV, PORT: String(port), ...QUICK, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const gone = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`Not ready in time:\n${output}`));
      // Nobody else knows it, and the run of tests would wait for its end.
      child.kill('SIGKILL');
    }, READY_MS);
    const hear = (chunk: Buffer) => {
      output += chunk;
      hearToo?.(String(chunk));
      if (!output.includes('"msg":"ready"')) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    void gone.then((code) => {
      clearTimeout(timer);
      reject(new Error(`Ended with ${code} before it was ready:\n${output}`));
    });
    void gone.catch(() => {});
    child.stdout.once('error', reject);
  });
  const shown = (what: RegExp) => {
    const file = path.join(String(env.DATA_DIR), 'first-account');
    const [key] = what.exec(readFileSync(file, 'utf8')) ?? [];
    if (key === undefined) throw new Error(`There is no key in ${file}`);
    return key;
  };
  return {
    origin: `http://127.0.0.1:${port}`,
    get secretKey() {
      return shown(/sk_live_[\w-]+/);
    },
    get publishableKey() {
      return shown(/pk_live_[\w-]+/);
    },
    printed: () => output,
    async kill() {
      signal(child, 'SIGKILL');
      await gone;
    },
    freeze: () => signal(child, 'SIGSTOP'),
    thaw: () => signal(child, 'SIGCONT'),
    terminate() {
      signal(child, 'SIGTERM');
      return gone;
    },
  };
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.exitCode === null) child.kill(name);
}

/**
 * Below those that systems give to whoever asks for any port: one of these, once let go, would soon be given to another
 * test's connection.
 */
const PORTS = { from: 20_000, to: 32_000 };

/** A port that was free a moment ago. No other test process gets it until this one ends. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (reserve(port) && (await isFree(port))) return port;
  }
}

/** Has a file for each reserved port, which holds the id of the process. */
const RESERVED = path.join(tmpdir(), 'svc-test-ports');

/** Returns false if another test process holds the port, perhaps for a product that it has killed and will start again. */
function reserve(port: number): boolean {
  mkdirSync(RESERVED, { recursive: true });
  const file = path.join(RESERVED, String(port));
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    atEnd(() => rmSync(file, { force: true }));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (isLeft(file)) rmSync(file, { force: true });
    return false;
  }
}

/** Whether the process that wrote it was killed. */
function isLeft(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  } catch {
    return false;
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
}
