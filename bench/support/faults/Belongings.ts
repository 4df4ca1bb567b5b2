import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** How long a process may take to end when it is asked to, before it is killed. */
const END_MS = 10_000;
const KEPT_OUTPUT = 50_000;

export interface Owned {
  pid: number;
  child: ChildProcess;
  /** The last of what it printed. */
  printed(): string;
  /** Resolves with its exit code; null: a signal ended it. */
  ended: Promise<number | null>;
  hasEnded(): boolean;
}

/**
 * The processes and folders of an installation. They are gone when it ends, however it ends: by `clear`, by Ctrl-C or by an
 * error of this process. Only processes that were started here are ever signalled, by their ids.
 */
export class Belongings {
  readonly #children = new Set<Owned>();
  readonly #folders: string[] = [];
  readonly #pids: number[] = [];
  readonly #closers: (() => Promise<unknown>)[] = [];

  constructor() {
    ALL.add(this);
  }

  spawn(command: string, args: readonly string[], options: SpawnOptions = {}): Owned {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    const hear = (chunk: Buffer) => {
      output = (output + chunk).slice(-KEPT_OUTPUT);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.on('error', (error) => hear(Buffer.from(String(error))));
    const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
    const hasEnded = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
    const owned = { pid: child.pid ?? 0, child, printed: () => output, ended, hasEnded };
    this.#children.add(owned);
    this.#pids.push(owned.pid);
    void ended.then(() => this.#children.delete(owned));
    return owned;
  }

  /** Runs a program to its end and returns what it printed. Throws with it unless the exit code is 0. */
  async run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<string> {
    const owned = this.spawn(command, args, options);
    const code = await owned.ended;
    if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${owned.printed()}`);
    return owned.printed();
  }

  async folder(name: string): Promise<string> {
    const folder = await mkdtemp(path.join(tmpdir(), `svc-faults-${name}-`));
    this.#folders.push(folder);
    return folder;
  }

  /** `close` is called at the end, the last one first, before the processes are ended. */
  onClear(close: () => Promise<unknown>): void {
    this.#closers.push(close);
  }

  /** Ends everything in order: a store gets the time to release its shared memory. */
  async clear(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close().catch(() => {});
    const children = [...this.#children].reverse();
    for (const { pid, child } of children) {
      signalTree(pid, 'SIGCONT');
      child.kill('SIGQUIT');
    }
    for (const owned of children) await endWithin(owned, END_MS);
    this.#removeFiles();
    ALL.delete(this);
  }

  /** The same at once, for a process that is about to end. */
  clearNow(): void {
    const children = [...this.#children];
    for (const { pid } of children) signalTree(pid, 'SIGCONT');
    for (const { pid } of children) signal(pid, 'SIGQUIT');
    const untilMs = Date.now() + END_MS;
    while (Date.now() < untilMs && children.some(({ pid }) => isAlive(pid))) pauseNow(50);
    for (const { pid } of children) signalTree(pid, 'SIGKILL');
    this.#removeFiles();
    ALL.delete(this);
  }

  #removeFiles(): void {
    for (const folder of this.#folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    // What libfaketime leaves of a process that was killed.
    for (const pid of this.#pids.splice(0))
      for (const name of [`faketime_shm_${pid}`, `sem.faketime_sem_${pid}`])
        rmSync(path.join('/dev/shm', name), { force: true });
  }
}

const ALL = new Set<Belongings>();

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => process.exit(130));
process.on('exit', () => {
  for (const belongings of ALL) belongings.clearNow();
});

async function endWithin(owned: Owned, withinMs: number): Promise<void> {
  const timer = setTimeout(() => signalTree(owned.pid, 'SIGKILL'), withinMs);
  if (!owned.hasEnded()) await once(owned.child, 'exit');
  clearTimeout(timer);
}

/** Sends a signal to a process and everything below it, such as a PostgreSQL server with its backends. */
export function signalTree(pid: number, name: NodeJS.Signals): void {
  const parents = readParents();
  const isBelow = (candidate: number): boolean => {
    const parent = parents.get(candidate);
    return parent !== undefined && (parent === pid || isBelow(parent));
  };
  for (const candidate of parents.keys()) if (isBelow(candidate)) signal(candidate, name);
  signal(pid, name);
}

function signal(pid: number, name: NodeJS.Signals): void {
  if (pid <= 1 || !isAlive(pid)) return;
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The parent of each process of this machine, by its id. */
function readParents(): Map<number, number> {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return new Map(pids.map((pid) => [pid, statusOf(pid)?.parent ?? 0]));
}

function isAlive(pid: number): boolean {
  const state = statusOf(pid)?.state;
  return state !== undefined && state !== 'Z' && state !== 'X';
}

/** From `/proc/PID/stat`; undefined: there is no such process. */
function statusOf(pid: number): { state: string; parent: number } | undefined {
  try {
    const [state = '', parent = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

function pauseNow(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
