// plays, stores: any
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { freePort } from '../support/child.ts';
import { addDomain, addVerified } from '../support/domains.ts';
import { NameServer } from '../support/nameServer.ts';
import { inRoot } from '../support/root.ts';
import { until } from '../support/until.ts';
import { startWorld, type World } from '../support/world.ts';

const TARGET = 'links.svc-host.net';
const CUSTOMER = 'go.customer.com';
const CADDYFILE = inRoot('docs/deploy/Caddyfile');

/** As it is shipped, but with certificates of its own authority, and away from the ports and files of this machine. */
async function trialOf(folder: string, ports: { https: number; http: number }): Promise<string> {
  const shipped = await readFile(CADDYFILE, 'utf8');
  const options = [
    'admin off',
    'skip_install_trust',
    `https_port ${ports.https}`,
    `http_port ${ports.http}`,
    `storage file_system ${folder}`,
  ];
  return shipped
    .replace(/^\{$/m, `{\n\t${options.join('\n\t')}`)
    .replace(/^(\t\ton_demand)$/m, '$1\n\t\tissuer internal');
}

describe('behind Caddy (left out where it is not installed)', () => {
  let world: World;
  let names: NameServer;
  let caddy: ChildProcess;
  let folder: string;
  let httpsPort: number;
  let output = '';

  before(async function () {
    if (spawnSync('caddy', ['version']).status !== 0) this.skip();
    names = await NameServer.start();
    names.zones[TARGET] = { A: ['198.18.0.7'] };
    const askPort = await freePort();
    world = await startWorld({
      BASE_URL: 'https://localhost',
      LINK_DOMAIN: TARGET,
      DNS_SERVERS: names.servers.join(','),
      ASK_PORT: String(askPort),
      TRUSTED_PROXIES: '127.0.0.1',
    });
    folder = await mkdtemp(path.join(tmpdir(), 'svc-caddy-'));
    httpsPort = await freePort();
    const file = path.join(folder, 'Caddyfile');
    await writeFile(file, await trialOf(folder, { https: httpsPort, http: await freePort() }));
    caddy = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
      env: { PATH: process.env.PATH, HOME: folder, SVC: new URL(world.origin).host, SVC_ASK: `127.0.0.1:${askPort}` },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    caddy.stderr?.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    await until(() => output.includes('serving initial configuration'), 'Caddy to start').catch(() => {
      throw new Error(`Caddy did not start:\n${output}`);
    });
  });
  after(async () => {
    if (caddy?.exitCode === null) {
      caddy.kill();
      await once(caddy, 'exit');
    }
    await world?.stop();
    await names?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** The connection of a browser that asks for that host; rejects when there is no certificate for it. */
  const open = async (host: string): Promise<TLSSocket> => {
    const socket = connect({ port: httpsPort, host: '127.0.0.1', servername: host, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    return socket;
  };

  const get = async (host: string, target: string): Promise<string> => {
    const socket = await open(host);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    await once(socket, 'close');
    return Buffer.concat(chunks).toString();
  };

  const refusal = async (host: string): Promise<string> => {
    try {
      (await open(host)).destroy();
      return 'none';
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error);
    }
  };

  it('a verified domain has a certificate, and its links are followed', async () => {
    await addVerified(world.api, names, CUSTOMER);
    const destination = 'https://www.example.com/sale';
    const made = await world.api('POST', '/links', { destination, domain: CUSTOMER, slug: 'sale' });
    expect(made.body.short_url).to.equal(`https://${CUSTOMER}/sale`);
    const socket = await open(CUSTOMER);
    expect(socket.getPeerCertificate().subjectaltname).to.equal(`DNS:${CUSTOMER}`);
    socket.destroy();
    const answer = await get(CUSTOMER, '/sale');
    expect(answer)
      .to.match(/^HTTP\/1\.1 302 /)
      .and.match(/\r\nlocation: https:\/\/www\.example\.com\/sale\r\n/i);
  });

  it('a domain that is not verified has none, nor has any other host', async () => {
    const { hostname } = await addDomain(world.api, 'go.waiting.com');
    for (const host of [hostname, 'unheard.of.com']) expect(await refusal(host), host).to.match(/^ERR_SSL/);
  });

  it('the hosts of the service itself have one', async () => {
    expect(await get('localhost', '/healthz')).to.match(/^HTTP\/1\.1 200 /);
    expect(await refusal(TARGET)).to.equal('none');
  });
});
