import { chown } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { freePort } from '../../../test/support/child.ts';
import { until } from '../../../test/support/until.ts';
import { type Belongings, type Owned, signalTree } from './Belongings.ts';
import { unprivilegedUser } from './programs.ts';

/** Connections that the server gives; three of them are kept for its superuser. */
export const MAX_CONNECTIONS = 100;
/** The role and the database of the product. */
const NAME = 'svc';
const READY_MS = 60_000;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: String(MAX_CONNECTIONS),
  shared_buffers: '64MB',
  wal_level: 'replica',
  max_wal_senders: '5',
  // A frozen server must not be taken for a dead one by its standby.
  wal_receiver_timeout: '60s',
};

/** A PostgreSQL server of its own, to be frozen, killed and failed over. */
export class PostgresServer {
  readonly port: number;
  readonly #belongings: Belongings;
  readonly #programs: string;
  readonly #folder: string;
  #server: Owned | null = null;

  private constructor(belongings: Belongings, programs: string, folder: string, port: number) {
    this.#belongings = belongings;
    this.#programs = programs;
    this.#folder = folder;
    this.port = port;
  }

  /** A running server with an empty database. `programs` is the folder of PostgreSQL's programs. */
  static async create(belongings: Belongings, programs: string): Promise<PostgresServer> {
    const server = new PostgresServer(belongings, programs, await ownFolder(belongings), await freePort());
    await server.#run('initdb', ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '-D', server.#data]);
    await server.start();
    await server.ask(`CREATE ROLE ${NAME} LOGIN`, [], 'postgres');
    await server.ask('CREATE ROLE others LOGIN', [], 'postgres');
    await server.ask(`CREATE DATABASE ${NAME} OWNER ${NAME}`, [], 'postgres');
    return server;
  }

  /** A standby that streams from this server. `synchronous`: each commit waits for it. */
  async createStandby({ synchronous }: { synchronous: boolean }): Promise<PostgresServer> {
    const folder = await ownFolder(this.#belongings);
    const standby = new PostgresServer(this.#belongings, this.#programs, folder, await freePort());
    const from = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'postgres'];
    await this.#run('pg_basebackup', [...from, '-D', standby.#data, '-R', '-X', 'stream', '-c', 'fast']);
    await standby.start();
    const isStreaming = async () =>
      (await this.ask("SELECT 1 AS one FROM pg_stat_replication WHERE state = 'streaming'")).length > 0;
    await until(isStreaming, 'the standby to stream', READY_MS);
    if (!synchronous) return standby;
    await this.ask("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await this.ask('SELECT pg_reload_conf()');
    const isSynchronous = async () =>
      (await this.ask("SELECT 1 AS one FROM pg_stat_replication WHERE sync_state = 'sync'")).length > 0;
    await until(isSynchronous, 'commits to wait for the standby', READY_MS);
    return standby;
  }

  async start(): Promise<void> {
    const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const args = ['-D', this.#data, '-p', String(this.port), ...settings];
    const server = this.#belongings.spawn(path.join(this.#programs, 'postgres'), args, unprivilegedUser());
    this.#server = server;
    const answers = async () => {
      if (server.hasEnded()) throw new Error(`PostgreSQL did not start:\n${server.printed()}`);
      return this.ask('SELECT 1 AS one', [], 'postgres').catch(() => null);
    };
    await until(answers, 'PostgreSQL to start', READY_MS);
  }

  /** Stops it in the middle of whatever it does: as after a loss of power, it recovers at its next start. */
  async kill(): Promise<void> {
    this.#server?.child.kill('SIGQUIT');
    await this.#server?.ended;
  }

  /** It neither answers nor closes connections until `thaw`. */
  freeze(): void {
    signalTree(this.#server?.pid ?? 0, 'SIGSTOP');
  }

  thaw(): void {
    signalTree(this.#server?.pid ?? 0, 'SIGCONT');
  }

  /** A standby gets nothing more from its server. */
  async stopFollowing(): Promise<void> {
    await this.ask("ALTER SYSTEM SET primary_conninfo = ''");
    await this.ask('SELECT pg_reload_conf()');
  }

  /** Makes a standby the one that is written to. */
  async promote(): Promise<void> {
    await this.ask('SELECT pg_promote(true, 60)');
  }

  /** The address of the product's database; `port`: of a proxy in front. */
  url(port = this.port): string {
    return `postgres://${NAME}@127.0.0.1:${port}/${NAME}`;
  }

  /** A connection as somebody else than the product, or as the superuser. Close it. */
  async connect(user: 'others' | 'postgres' = 'postgres', database = NAME): Promise<pg.Client> {
    const client = new pg.Client({ host: '127.0.0.1', port: this.port, user, database, connectionTimeoutMillis: 5000 });
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  /** One statement by the superuser, on a connection of its own. */
  // biome-ignore lint/suspicious/noExplicitAny: rows of every shape
  async ask(sql: string, values: unknown[] = [], database = NAME): Promise<any[]> {
    const client = await this.connect('postgres', database);
    try {
      return (await client.query(sql, values)).rows;
    } finally {
      await client.end();
    }
  }

  get #data(): string {
    return path.join(this.#folder, 'data');
  }

  #run(program: string, args: string[]): Promise<string> {
    return this.#belongings.run(path.join(this.#programs, program), args, unprivilegedUser());
  }
}

async function ownFolder(belongings: Belongings): Promise<string> {
  const folder = await belongings.folder('postgres');
  const user = unprivilegedUser();
  if (user) await chown(folder, user.uid, user.gid);
  return folder;
}
