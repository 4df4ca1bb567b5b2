import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './child.ts';
import { until } from './until.ts';

/** A ClickHouse on loopback. */
export interface ClickHouse {
  /** As CLICKS_URL takes it. */
  url: string;
  /** As CLICKS_CLUSTER takes it. */
  cluster: string | null;
  /** Stops it for a while, as a machine that hangs; `cont` lets it go on. */
  freeze(): void;
  cont(): void;
  stop(): Promise<void>;
}

/** Where `npm run test:clickhouse` installs the package chdb, which is too large to be a dependency. */
const CHDB = path.resolve(process.env.CHDB_FOLDER ?? '.cache/chdb');

/** Whether this machine has an engine: the server of CLICKHOUSE_URL, Debian's clickhouse-server, or the package chdb. */
export function hasEngine(): boolean {
  return process.env.CLICKHOUSE_URL !== undefined || hasChdb() || existsSync(SERVER);
}

const SERVER = '/usr/sbin/clickhouse-server';

function hasChdb(): boolean {
  try {
    return existsSync(createRequire(`${CHDB}/`).resolve('chdb'));
  } catch {
    return false;
  }
}

/** Starts the newest engine that there is, with an empty store; CLICKHOUSE_ENGINE=debian asks for Debian's. */
export async function startClickHouse(): Promise<ClickHouse> {
  const given = process.env.CLICKHOUSE_URL;
  if (given)
    return {
      url: given,
      cluster: process.env.CLICKHOUSE_CLUSTER ?? null,
      freeze() {},
      cont() {},
      stop: async () => {},
    };
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-clickhouse-'));
  const isDebian = process.env.CLICKHOUSE_ENGINE === 'debian' || !hasChdb();
  const { child, port } = isDebian ? await startDebian(folder) : await startChdb(folder);
  return {
    url: `clickhouse://127.0.0.1:${port}/default`,
    cluster: null,
    freeze: () => void child.kill('SIGSTOP'),
    cont: () => void child.kill('SIGCONT'),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGCONT');
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startChdb(folder: string): Promise<{ child: ChildProcess; port: number }> {
  // Compiled tests are elsewhere; it is not compiled.
  const front = path.resolve('test/support/chdbFront.mjs');
  const child = spawn(process.execPath, [front, CHDB, path.join(folder, 'data')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout?.once('data', (text) => resolve(Number(text)));
    child.once('exit', (code) => reject(new Error(`chdb ended with ${code}`)));
  });
  return { child, port };
}

async function startDebian(folder: string): Promise<{ child: ChildProcess; port: number }> {
  const [http, tcp, internal] = [await freePort(), await freePort(), await freePort()];
  await mkdir(path.join(folder, 'tmp'));
  const users = path.join(folder, 'users.xml');
  const settings = path.join(folder, 'config.xml');
  await writeFile(
    users,
    '<yandex><profiles><default/></profiles><users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users><quotas><default/></quotas></yandex>',
  );
  await writeFile(
    settings,
    `<yandex><logger><level>error</level></logger><http_port>${http}</http_port><tcp_port>${tcp}</tcp_port>
     <interserver_http_port>${internal}</interserver_http_port><listen_host>127.0.0.1</listen_host><timezone>UTC</timezone>
     <path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path><users_config>${users}</users_config>
     <default_profile>default</default_profile><default_database>default</default_database>
     <mark_cache_size>67108864</mark_cache_size></yandex>`,
  );
  const child = spawn(SERVER, [`--config-file=${settings}`], { stdio: 'ignore', cwd: folder });
  const isUp = () =>
    fetch(`http://127.0.0.1:${http}/ping`).then(
      (response) => response.ok,
      () => false,
    );
  await until(isUp, 'ClickHouse to start');
  return { child, port: http };
}
