import path from 'node:path';
import type { Belongings, Owned } from './Belongings.ts';

const MAIN = new URL('../../../dist/app/main.js', import.meta.url).pathname;
const READY_MS = 240_000;
const LOOK_MS = 50;
/** Lines of the log with level error or fatal. */
const ERROR = /^\{"level":[56]0,/;

export type Role = 'web' | 'redirect' | 'worker';

export interface ProcessOptions {
  name: string;
  role: Role;
  port: number;
  dataDir: string;
  env: Record<string, string>;
}

/** One process of the product on a port and a DATA_DIR of its own, which it gets back when it is started again. */
export class ProductProcess {
  readonly name: string;
  readonly role: Role;
  readonly port: number;
  readonly dataDir: string;
  readonly #belongings: Belongings;
  readonly #env: Record<string, string>;
  #owned: Owned | null = null;

  constructor(belongings: Belongings, { name, role, port, dataDir, env }: ProcessOptions) {
    this.#belongings = belongings;
    this.name = name;
    this.role = role;
    this.port = port;
    this.dataDir = dataDir;
    this.#env = env;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The environment in which it runs, also for admin commands. */
  get env(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      ...this.#env,
      ROLE: this.role,
      PORT: String(this.port),
      HOST: '127.0.0.1',
      DATA_DIR: this.dataDir,
    };
  }

  /** Starts it and waits until it is ready. Throws with its output when it ends before. */
  async start(): Promise<void> {
    const owned = this.#belongings.spawn(process.execPath, [MAIN], { env: this.env, cwd: path.dirname(this.dataDir) });
    this.#owned = owned;
    const endMs = Date.now() + READY_MS;
    while (!owned.printed().includes('"msg":"ready"')) {
      if (owned.hasEnded()) throw new Error(`${this.name} ended before it was ready:\n${owned.printed()}`);
      if (Date.now() > endMs) throw new Error(`${this.name} was not ready in time:\n${owned.printed()}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** Asks it to end. Throws unless it ends with code 0. */
  async stop(): Promise<void> {
    this.#owned?.child.kill('SIGTERM');
    const code = await this.#owned?.ended;
    if (code !== 0) throw new Error(`${this.name} ended with ${code}:\n${this.#owned?.printed()}`);
  }

  /** Ends it in an instant. */
  async kill(): Promise<void> {
    this.#owned?.child.kill('SIGKILL');
    await this.#owned?.ended;
  }

  /** 0 before its first start. */
  get pid(): number {
    return this.#owned?.pid ?? 0;
  }

  freeze(): void {
    this.#owned?.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.#owned?.child.kill('SIGCONT');
  }

  /** Errors in the last of what it printed since it was started: faults of the product, as it sees them. */
  errors(): string[] {
    const lines = this.#owned?.printed().split('\n').slice(1) ?? [];
    return lines.filter((line) => ERROR.test(line)).map((line) => `${this.name}: ${line}`);
  }
}
