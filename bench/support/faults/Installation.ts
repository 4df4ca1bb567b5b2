import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '../../../test/support/child.ts';
import { type ClickHouse, hasEngine, startClickHouse } from '../../../test/support/clickHouse.ts';
import { startMailServer } from '../../../test/support/mailServer.ts';
import { Belongings } from './Belongings.ts';
import { Customers } from './Customers.ts';
import { PostgresServer } from './PostgresServer.ts';
import { ProductProcess, type Role } from './ProductProcess.ts';
import { findPrograms } from './programs.ts';
import { type Behind, type Front, startCaddy, startHaproxy, startStoreProxy } from './proxies.ts';
import { Receiver } from './Receiver.ts';

/** What a play needs; plays that need the same share an installation. */
export interface Needs {
  front: 'haproxy' | 'caddy';
  standby: 'none' | 'synchronous' | 'asynchronous';
  /** Clocks of every second process of a role are so far ahead. */
  clockSeconds: number;
  /** Clicks are in a ClickHouse. */
  hasClickHouse: boolean;
}

export const WEB_HOST = 'app.faults.example';
export const LINK_HOST = 'go.faults.example';

const PROCESSES: [name: string, role: Role][] = [
  ['web-1', 'web'],
  ['web-2', 'web'],
  ['redirect-1', 'redirect'],
  ['redirect-2', 'redirect'],
  ['redirect-3', 'redirect'],
  ['worker-1', 'worker'],
  ['worker-2', 'worker'],
];

/** Longer than the checks of the proxies need to notice. */
const SHUTDOWN_DELAY_SECONDS = 5;

/** As an operator would set them, but for limits and for times that a bench cannot wait for. */
const SETTINGS = {
  SECRET_KEY: 'a key for benchmarks alone, long enough',
  BASE_URL: `https://${WEB_HOST}`,
  LINK_DOMAIN: LINK_HOST,
  TRUSTED_PROXIES: '127.0.0.1',
  SHUTDOWN_DELAY_SECONDS: String(SHUTDOWN_DELAY_SECONDS),
  ALLOW_PRIVATE_TARGETS: 'true',
  RATE_LIMIT_PER_MINUTE: '1000000000',
  RATE_LIMIT_ROWS_PER_MINUTE: '1000000000',
  RATE_LIMIT_ADDRESS_PER_MINUTE: '1000000000',
  RATE_LIMIT_PUBLISHABLE_PER_MINUTE: '1000000000',
  // Each click comes from a referrer of its own.
  DISTINCT_VALUES_PER_DAY: '100000000',
  TRAFFIC_COLLECT_SECONDS: '2',
  HEALTH_CHECK_SECONDS: '20',
  RESCAN_SECONDS: '60',
  BLOCKLIST_RELOAD_SECONDS: '3',
  DELETION_DAYS: '0',
  APP_STORE_URL: 'none',
  PLAY_STORE_URL: 'none',
  // Nobody answers there.
  DNS_SERVERS: '127.0.0.1:9',
};

/** Two web, three redirect and two worker processes behind a proxy, on a PostgreSQL of their own, and a receiver of webhooks. */
export class Installation {
  readonly processes: ProductProcess[] = [];
  readonly receiver = new Receiver();
  /** The server that is written to. */
  store!: PostgresServer;
  standby: PostgresServer | null = null;
  front!: Front;
  customers!: Customers;
  clickHouse: ClickHouse | null = null;
  /** A file of BLOCKLIST_FILES, empty at first. */
  blocklist = '';
  #folder = '';
  readonly #belongings = new Belongings();

  /** Starts everything; when a step fails, all that was started is ended. */
  static async start(needs: Needs): Promise<Installation> {
    const installation = new Installation();
    try {
      await installation.#start(needs);
      return installation;
    } catch (error) {
      await installation.stop();
      throw error;
    }
  }

  of(role: Role): ProductProcess[] {
    return this.processes.filter((process) => process.role === role);
  }

  /** A new folder for a DATA_DIR. */
  async dataDir(name: string): Promise<string> {
    const folder = path.join(this.#folder, name);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** Runs an admin command with the settings of this process, and returns what it printed. */
  admin(process_: ProductProcess, ...args: string[]): Promise<string> {
    const admin = new URL('../../../dist/scripts/admin.js', import.meta.url).pathname;
    return this.#belongings.run(process.execPath, [admin, ...args], { env: process_.env, cwd: this.#folder });
  }

  async stop(): Promise<void> {
    await this.#belongings.clear();
  }

  async #start({ front, standby, clockSeconds, hasClickHouse }: Needs): Promise<void> {
    const programs = findPrograms({ caddy: front === 'caddy', clocks: clockSeconds !== 0 });
    this.#folder = await this.#belongings.folder('data');
    this.store = await PostgresServer.create(this.#belongings, programs.postgresFolder);
    if (standby !== 'none') this.standby = await this.store.createStandby({ synchronous: standby === 'synchronous' });
    const storePort = this.standby ? await startStoreProxy(this.#belongings, [this.store, this.standby]) : undefined;
    if (hasClickHouse) await this.#startClickHouse();
    const settings = { ...(await this.#settings()), DATABASE_URL: this.store.url(storePort) };
    const askPort = await freePort();
    for (const [at, [name, role]] of PROCESSES.entries()) {
      const clock: Record<string, string> =
        clockSeconds !== 0 && at % 2 === 1
          ? { LD_PRELOAD: programs.faketime, FAKETIME: `+${clockSeconds}s`, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
          : {};
      // The process that is not restarted first has it.
      const ask: Record<string, string> = name === 'web-2' ? { ASK_PORT: String(askPort) } : {};
      const env = { ...settings, ...clock, ...ask };
      const options = { name, role, port: await freePort(), dataDir: await this.dataDir(name), env };
      this.processes.push(new ProductProcess(this.#belongings, options));
    }
    const [first, ...others] = this.processes;
    // It makes the tables and the first account.
    await first?.start();
    await Promise.all(others.map((process) => process.start()));
    this.front = await this.#startFront(front, askPort);
    await this.#startWebhooks(await firstKeys(String(first?.dataDir)));
  }

  async #settings(): Promise<Record<string, string>> {
    const mails = await startMailServer();
    this.#belongings.onClear(() => mails.close());
    this.blocklist = path.join(this.#folder, 'blocklist');
    await writeFile(this.blocklist, '');
    const clicks: Record<string, string> = this.clickHouse ? { CLICKS_URL: this.clickHouse.url } : {};
    return { ...SETTINGS, ...clicks, SMTP_URL: mails.url, BLOCKLIST_FILES: this.blocklist };
  }

  async #startClickHouse(): Promise<void> {
    if (!hasEngine()) throw new Error('There is no ClickHouse: see test/support/clickHouse.ts.');
    const clickHouse = await startClickHouse();
    this.#belongings.onClear(() => clickHouse.stop());
    this.clickHouse = clickHouse;
  }

  async #startFront(kind: Needs['front'], askPort: number): Promise<Front> {
    const ports = (role: Role) => this.of(role).map(({ port }) => port);
    const behind: Behind = {
      web: { host: WEB_HOST, ports: ports('web') },
      redirect: { host: LINK_HOST, ports: ports('redirect') },
      askPort,
    };
    const front = await (kind === 'caddy' ? startCaddy : startHaproxy)(this.#belongings, behind);
    for (const { role, port } of this.processes) if (role !== 'worker') await front.untilUp(port);
    return front;
  }

  /** One webhook gets each event alone, the other one gets them in batches. */
  async #startWebhooks(keys: { key: string; appKey: string }): Promise<void> {
    this.customers = new Customers(this.front, { web: WEB_HOST, links: LINK_HOST, ...keys });
    this.#belongings.onClear(() => this.customers.close());
    await this.receiver.listen();
    this.#belongings.onClear(() => this.receiver.close());
    const types = ['link.created', 'link.clicked'];
    const batch = { max_events: 200, max_wait_seconds: 2 };
    for (const [way, more] of [['plain', {}] as const, ['batch', { batch }] as const]) {
      const url = this.receiver.urlOf(way);
      const { secret, id } = await this.customers.call('POST', '/webhooks', {
        url,
        event_types: types,
        include_bots: true,
        ...more,
      });
      this.receiver.expect(way, { secret, webhookId: id });
    }
  }
}

/** The keys that the first start left in a file: for programs, and for apps. */
async function firstKeys(dataDir: string): Promise<{ key: string; appKey: string }> {
  const text = await readFile(path.join(dataDir, 'first-account'), 'utf8');
  const find = (what: RegExp) => what.exec(text)?.[0] ?? '';
  return { key: find(/sk_live_[\w-]+/), appKey: find(/pk_live_[\w-]+/) };
}
