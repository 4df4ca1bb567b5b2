// stores: none
import { get } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { type Config, config, loadConfig } from '../../../src/kernel/config.ts';
import { HOLD_MS, openWebServer, type WebServer } from '../../../src/net/webServer.ts';
import { arriveInStandstill } from '../../support/standStill.ts';

/** Whether this machine has IPv6 on loopback. */
const hasIpv6 = () =>
  new Promise<boolean>((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(0, '::1', () => probe.close(() => resolve(true)));
  });

describe('the web server', () => {
  let server: WebServer | undefined;

  const open = async (env: Record<string, string>) => {
    const settings: Config = loadConfig({ LOG_LEVEL: 'silent', PORT: '0', ...env });
    server = await openWebServer(settings);
    return server.port;
  };
  const answers = async (host: string, port: number) => {
    const response = await fetch(`http://${host}:${port}/healthz`).catch(() => null);
    return response?.status === 200;
  };

  afterEach(async () => {
    await server?.end();
    server = undefined;
    loadConfig({ LOG_LEVEL: 'silent' });
  });

  it('is reachable only from this machine without BASE_URL, under each name of localhost', async () => {
    const port = await open({});
    expect(await answers('127.0.0.1', port)).to.equal(true);
    expect(await answers('[::1]', port)).to.equal(await hasIpv6());
    expect(await answers('127.0.0.2', port)).to.equal(false);
  });

  it('is reachable from everywhere with BASE_URL, or on HOST', async () => {
    expect(await answers('127.0.0.2', await open({ BASE_URL: 'https://links.example.com' }))).to.equal(true);
    await server?.end();
    const port = await open({ HOST: '127.0.0.2' });
    expect([await answers('127.0.0.2', port), await answers('127.0.0.1', port)]).to.deep.equal([true, false]);
  });

  it('rejects if the port is taken, even on one address only', async function () {
    if (!(await hasIpv6())) this.skip();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '::1', resolve));
    const { port } = other.address() as { port: number };
    const error = await open({ PORT: String(port) }).then(
      () => null,
      (thrown) => thrown,
    );
    await new Promise((resolve) => other.close(resolve));
    expect(error?.code).to.equal('EADDRINUSE');
    expect(await answers('127.0.0.1', port), 'what was bound before is given back').to.equal(false);
  });

  it('reports that it is not ready yet, and keeps connections longer than proxies do', async () => {
    const origin = `http://127.0.0.1:${await open({})}`;
    const [ready, other] = await Promise.all([fetch(`${origin}/readyz`), fetch(`${origin}/api/v1/links`)]);
    expect([ready.status, other.status, other.headers.get('retry-after')]).to.deep.equal([503, 503, '5']);
    expect(other.headers.get('keep-alive')).to.equal('timeout=75');
    expect(((await other.json()) as { error: { code: string } }).error.code).to.equal('unavailable');
  });

  it('answers on connections that were made while it stood still, at the moment when it stops listening', async () => {
    const port = await open({ BASE_URL: 'https://links.example.com' });
    server?.setListener((_, response) => void response.end());
    const ended = server?.end(500);
    await delay(HOLD_MS / 2);
    const { arrived } = await arriveInStandstill(HOLD_MS, () => Array.from({ length: 20 }, () => fetchStatus(port)));
    expect(await Promise.all(arrived)).to.deep.equal(arrived.map(() => 200));
    await ended;
  });

  it('answers for some seconds after SIGTERM behind a load balancer, but not on localhost', () => {
    loadConfig({ BASE_URL: 'https://links.example.com' });
    expect(config.shutdownDelaySeconds).to.equal(5);
    loadConfig({ BASE_URL: 'http://localhost:3000' });
    expect(config.shutdownDelaySeconds).to.equal(0);
    loadConfig({ BASE_URL: 'https://links.example.com', SHUTDOWN_DELAY_SECONDS: '0' });
    expect(config.shutdownDelaySeconds).to.equal(0);
  });
});

/** The status, or the code of what went wrong. */
function fetchStatus(port: number): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    get({ port, host: '127.0.0.1', agent: false }, (response) => resolve(response.resume().statusCode)).once(
      'error',
      (error: NodeJS.ErrnoException) => resolve(error.code),
    );
  });
}
