// stores: none
import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import { checkDestinations } from '../../../src/health/checks/checkDestinations.ts';
import { loadConfig } from '../../../src/kernel/config.ts';
import { freePort } from '../../support/child.ts';
import { askingFor, healthSubject } from '../../support/healthSubject.ts';
import { LATE_MS } from '../../support/lateness.ts';
import { Loopback } from '../../support/loopback.ts';

/** By path. */
const SITE: Record<string, RequestListener> = {
  '/ok': (_request, response) => void response.end('ok'),
  '/endless': (_request, response) => void response.write('a'.repeat(100_000)),
  '/gone': (_request, response) => void response.writeHead(410).end(),
  '/missing': (_request, response) => void response.writeHead(404).end(),
  '/broken': (_request, response) => void response.writeHead(500).end(),
  '/forbidden': (_request, response) => void response.writeHead(403).end(),
  '/teapot': (_request, response) => void response.writeHead(418).end(),
  '/no-head': (request, response) => void response.writeHead(request.method === 'HEAD' ? 405 : 200).end(),
  '/head-hangs': (request, response) => void (request.method === 'HEAD' || response.end('ok')),
  '/head-breaks': (request, response) => void (request.method === 'HEAD' ? request.socket.destroy() : response.end()),
  '/loop': (_request, response) => void response.writeHead(302, { Location: '/loop' }).end(),
  '/store': (_request, response) => void response.writeHead(302, { Location: 'market://details?id=a.b' }).end(),
  '/metadata': (_request, response) => void response.writeHead(302, { Location: 'http://169.254.169.254/' }).end(),
  '/three': (_request, response) => void response.writeHead(301, { Location: '/two' }).end(),
  '/two': (_request, response) => void response.writeHead(307, { Location: '/one' }).end(),
  '/one': (_request, response) => void response.writeHead(308, { Location: '/ok' }).end(),
  '/guarded': (_request, response) => void response.writeHead(503, { 'CF-Mitigated': 'challenge' }).end(),
  '/busy': (_request, response) => void response.writeHead(503).end(),
  '/linkedin': (_request, response) => void response.writeHead(999).end(),
  '/unacceptable': (_request, response) => void response.writeHead(406).end(),
  '/never-allowed': (_request, response) => void response.writeHead(405).end(),
  '/slow-down': (_request, response) => void response.writeHead(429).end(),
  '/who': (_request, response) => void response.writeHead(401).end(),
  '/ping': (_request, response) => void response.writeHead(302, { Location: '/pong' }).end(),
  '/pong': (_request, response) => void response.writeHead(302, { Location: '/ping' }).end(),
  '/consent': (request, response) =>
    void (request.headers.cookie === 'seen=yes'
      ? response.end('ok')
      : response.writeHead(302, { Location: '/consent', 'Set-Cookie': 'seen=yes; Path=/; HttpOnly' }).end()),
  ...Object.fromEntries(
    Array.from({ length: 10 }, (_, at): [string, RequestListener] => [
      `/hop${at + 2}`,
      (_request, response) => void response.writeHead(302, { Location: at === 0 ? '/one' : `/hop${at + 1}` }).end(),
    ]),
  ),
  '/four': (_request, response) => void response.writeHead(302, { Location: '/three' }).end(),
  '/hangs': () => {},
};

describe('the health check of destinations', () => {
  const loopback = new Loopback();
  let asked: string[] = [];
  let origin: string;

  const settings = (more: Record<string, string> = {}) =>
    loadConfig({ LOG_LEVEL: 'silent', ALLOW_PRIVATE_TARGETS: 'true', PROBE_TIMEOUT_SECONDS: '1', ...more });
  before(() => void settings());
  after(() => loadConfig({ LOG_LEVEL: 'silent' }));
  beforeEach(async () => {
    asked = [];
    const port = await loopback.http((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      SITE[request.url ?? '']?.(request, response);
    });
    origin = `http://127.0.0.1:${port}`;
  });
  afterEach(() => loopback.close());

  const look = (urls: string[], asking = askingFor()) =>
    checkDestinations(healthSubject({ destinations: urls.map((url) => ({ url, of: 'go.test/a' })) }), asking);

  const table: [path: string, status: string, message: RegExp][] = [
    ['/ok', 'pass', /^Every destination responds/],
    ['/three', 'pass', /^Every/],
    ['/endless', 'pass', /^Every/],
    ['/no-head', 'pass', /^Every/],
    ['/head-hangs', 'pass', /^Every/],
    ['/head-breaks', 'pass', /^Every/],
    ['/four', 'pass', /^Every/],
    ['/forbidden', 'warn', /status 403.*open it in a browser/],
    ['/teapot', 'warn', /status 418/],
    ['/store', 'warn', /redirects to something that is not a web address/],
    ['/metadata', 'warn', /its address is inside a private network/],
    ['/missing', 'fail', /\/missing \(go\.test\/a\) responds with status 404.*change the destination/],
    ['/gone', 'fail', /status 410/],
    ['/broken', 'fail', /status 500. Fix the site/],
    ['/loop', 'fail', /it redirects too often \(in a loop/],
    ['/hop10', 'pass', /^Every/],
    ['/hop11', 'fail', /it redirects too often \(more than 10 redirects\)/],
    ['/ping', 'fail', /it redirects too often \(in a loop: it leads back to http:.*\/ping\)/],
    ['/consent', 'pass', /^Every/],
    ...(['/linkedin', '/unacceptable', '/never-allowed', '/slow-down', '/who', '/guarded'] as const).map(
      (path): [string, string, RegExp] => [path, 'warn', /may answer so to programs only: open it in a browser/],
    ),
    ['/busy', 'fail', /status 503. Fix the site/],
    ['/hangs', 'fail', /does not answer in time/],
  ];
  for (const [path, status, message] of table) {
    it(`${status}: ${path}`, async () => {
      const result = await look([origin + path]);
      expect(result?.status, result?.message).to.equal(status);
      expect(result?.message).to.match(message);
    });
  }

  it('fail: a name that does not exist, and a port that nobody listens on', async () => {
    const closed = `http://127.0.0.1:${await freePort()}/`;
    const result = await look(['http://nowhere.invalid./', closed]);
    expect(result?.status).to.equal('fail');
    expect(result?.message)
      .to.match(/its host name has no address|No name server|in time/)
      .and.include('nothing answers');
  });

  it('asks by HEAD, once, and by GET only where that says nothing', async () => {
    await look([`${origin}/ok`, `${origin}/missing`]);
    expect(asked).to.have.members(['HEAD /ok', 'HEAD /missing', 'GET /missing']);
  });

  it('asks a host one thing at a time', async () => {
    let [now, most] = [0, 0];
    const port = await loopback.http((_request, response) => {
      now += 1;
      most = Math.max(most, now);
      setTimeout(() => {
        now -= 1;
        response.end();
      }, 20);
    });
    await look(Array.from({ length: 6 }, (_, at) => `http://127.0.0.1:${port}/${at}`));
    expect(most).to.equal(1);
  });

  it('asks nothing more of a host that has no address or refuses connections', async () => {
    let connections = 0;
    const port = await loopback.tcp((socket) => {
      connections += 1;
      socket.destroy();
    });
    await look(Array.from({ length: 5 }, (_, at) => `https://127.0.0.1:${port}/${at}`));
    expect(connections).to.equal(1);
  });

  it('is over in time, and says what it has found until then', async () => {
    settings({ PROBE_TIMEOUT_SECONDS: '60' });
    const startedAt = performance.now();
    const hanging = Array.from({ length: 10 }, (_, at) => `${origin}/hangs?${at}`);
    const result = await look([...hanging, `${origin}/ok`], askingFor(1));
    expect(performance.now() - startedAt).to.be.within(900, 900 + LATE_MS);
    expect(result?.status, result?.message).to.equal('fail');
    settings();
  });

  it('says nothing when it had no time for one of them and the others are good', async () => {
    const slow = await loopback.http((_request, response) => void setTimeout(() => response.end(), 200));
    const urls = Array.from({ length: 14 }, (_, at) => `http://127.0.0.1:${slow}/${at}`);
    expect(await look(urls, askingFor(2))).to.equal(null);
  });

  it('skip: there are none', async () => {
    expect((await look([]))?.status).to.equal('skip');
  });
});
