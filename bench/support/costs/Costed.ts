import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Belongings } from '../faults/Belongings.ts';
import { ProductProcess, type Role } from '../faults/ProductProcess.ts';
import { postgresCpuSeconds, processSeconds } from '../processorTime.ts';
import { NO_LIMITS, type Product } from '../product.ts';

export const HOST = 'go.costs.example';

const PROCESSES: [name: string, role: Role][] = [
  ['web', 'web'],
  ['redirect-1', 'redirect'],
  ['redirect-2', 'redirect'],
  ['worker-1', 'worker'],
  ['worker-2', 'worker'],
];

/** The redirect process that keeps its clicks in the journal until it stops. */
export const HELD_OFF = 'redirect-1';

const SETTINGS = {
  ...NO_LIMITS,
  LINK_DOMAIN: HOST,
  TRUSTED_PROXIES: '127.0.0.1',
  ALLOW_PRIVATE_TARGETS: 'true',
  DISTINCT_VALUES_PER_DAY: '100000000',
};

/** CPU-seconds by role, all processes of a role together, and of PostgreSQL. */
export type Spent = Record<Role | 'postgres', number>;

/** The processes of a small installation on one PostgreSQL, and what they spend. */
export class Costed {
  readonly belongings = new Belongings();
  readonly processes: ProductProcess[];
  #key = '';

  private constructor(folder: string, port: number, env: Record<string, string>) {
    this.processes = PROCESSES.map(([name, role], at) => {
      const more: Record<string, string> = name === HELD_OFF ? { CLICK_DRAIN_MILLISECONDS: '3600000' } : {};
      const dataDir = path.join(folder, name);
      const options = {
        name,
        role,
        port: port + at,
        dataDir,
        env: { ...env, ...SETTINGS, BASE_URL: `http://127.0.0.1:${port}`, ...more },
      };
      return new ProductProcess(this.belongings, options);
    });
  }

  /** Each process has a DATA_DIR below `folder`; `env` names the store. */
  static async start(folder: string, port: number, env: Record<string, string>): Promise<Costed> {
    const costed = new Costed(folder, port, env);
    for (const { dataDir } of costed.processes) await mkdir(dataDir, { recursive: true });
    const [web, ...others] = costed.processes;
    await web?.start();
    await Promise.all(others.map((process) => process.start()));
    const account = await readFile(path.join(folder, 'web', 'first-account'), 'utf8');
    costed.#key = /sk_live_[\w-]+/.exec(account)?.[0] ?? '';
    return costed;
  }

  named(name: string): ProductProcess {
    const found = this.processes.find((process) => process.name === name);
    if (!found) throw new Error(`There is no process ${name}`);
    return found;
  }

  of(role: Role): ProductProcess[] {
    return this.processes.filter((process) => process.role === role);
  }

  /** Asks the REST API of the web process; throws for everything but success. */
  readonly call: Product['call'] = async (method, below, body) => {
    const response = await fetch(`${this.named('web').origin}/api/v1${below}`, {
      method,
      headers: { Authorization: `Bearer ${this.#key}`, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${below}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? null : response.json();
  };

  spent(): Spent {
    const sum = (role: Role) => this.of(role).reduce((total, { pid }) => total + processSeconds(pid), 0);
    return { web: sum('web'), redirect: sum('redirect'), worker: sum('worker'), postgres: postgresCpuSeconds() };
  }

  /** What `work` makes everything spend, less what is spent in the same time without work. */
  async during(work: () => Promise<unknown>, idle: Spent): Promise<Spent> {
    const [before, startedAt] = [this.spent(), performance.now()];
    await work();
    const [after, seconds] = [this.spent(), (performance.now() - startedAt) / 1000];
    const parts = Object.keys(before) as (keyof Spent)[];
    const spent = parts.map((part) => [part, Math.max(0, after[part] - before[part] - idle[part] * seconds)]);
    return Object.fromEntries(spent) as Spent;
  }
}
