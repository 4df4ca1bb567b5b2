import { createServer } from 'node:net';
import { expect } from 'chai';
import { type Config, config, loadConfig } from '../../../src/kernel/config.ts';
import { openWebServer, type WebServer } from '../../../src/webServer.ts';

/** Whether this machine has IPv6 on loopback. */
const hasIpv6 = () =>
  new Promise<boolean>((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(0, '::1', () => probe.close(() => resolve(true)));
  });

describe('what listens on PORT', () => {
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

  it('is reached from this machine alone while there is no BASE_URL, by each of its names', async () => {
    const port = await open({});
    expect(await answers('127.0.0.1', port)).to.equal(true);
    expect(await answers('[::1]', port)).to.equal(await hasIpv6());
    expect(await answers('127.0.0.2', port)).to.equal(false);
  });

  it('is reached from everywhere with one, or where HOST says', async () => {
    expect(await answers('127.0.0.2', await open({ BASE_URL: 'https://links.example.com' }))).to.equal(true);
    await server?.end();
    const port = await open({ HOST: '127.0.0.2' });
    expect([await answers('127.0.0.2', port), await answers('127.0.0.1', port)]).to.deep.equal([true, false]);
  });

  it('throws where the port is taken, also on one of the addresses', async function () {
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

  it('says that it is not ready yet, and keeps connections longer than proxies do', async () => {
    const origin = `http://127.0.0.1:${await open({})}`;
    const [ready, other] = await Promise.all([fetch(`${origin}/readyz`), fetch(`${origin}/api/v1/links`)]);
    expect([ready.status, other.status, other.headers.get('retry-after')]).to.deep.equal([503, 503, '5']);
    expect(other.headers.get('keep-alive')).to.equal('timeout=75');
    expect(((await other.json()) as { error: { code: string } }).error.code).to.equal('unavailable');
  });

  it('goes on for some seconds after SIGTERM where balancers are, and not on localhost', () => {
    loadConfig({ BASE_URL: 'https://links.example.com' });
    expect(config.shutdownDelaySeconds).to.equal(5);
    loadConfig({ BASE_URL: 'http://localhost:3000' });
    expect(config.shutdownDelaySeconds).to.equal(0);
    loadConfig({ BASE_URL: 'https://links.example.com', SHUTDOWN_DELAY_SECONDS: '0' });
    expect(config.shutdownDelaySeconds).to.equal(0);
  });
});
