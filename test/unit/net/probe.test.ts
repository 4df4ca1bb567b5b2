// stores: none
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { loadConfig } from '../../../src/kernel/config.ts';
import { probe } from '../../../src/net/probe.ts';
import { Loopback } from '../../support/loopback.ts';

describe('a probe', () => {
  const servers: Server[] = [];
  const loopback = new Loopback();
  const asked: string[] = [];

  const serve = async (listener: RequestListener): Promise<string> => {
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      listener(request, response);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  /** Sends on from /0 to /1 and so on. */
  const chain: RequestListener = (request, response) =>
    void response.writeHead(302, { Location: `/${Number(request.url?.slice(1)) + 1}` }).end();

  before(() => loadConfig({ LOG_LEVEL: 'silent', ALLOW_PRIVATE_TARGETS: 'true' }));
  after(() => loadConfig({ LOG_LEVEL: 'silent' }));
  afterEach(async () => {
    asked.length = 0;
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
    await loopback.close();
  });

  it('returns status, headers and a body cut at its limit', async () => {
    const origin = await serve((_request, response) => void response.setHeader('x-y', 'z').end('a'.repeat(2000)));
    const answer = await probe(`${origin}/a?b=1`, { maxBytes: 1000 });
    expect(answer).to.deep.include({ status: 200, body: 'a'.repeat(1000), isCut: true, redirects: 0 });
    expect(asked).to.deep.equal(['GET /a?b=1']);
  });

  it('follows at most maxRedirects redirects', async () => {
    const origin = await serve(chain);
    expect(await probe(`${origin}/0`, { maxRedirects: 3 })).to.deep.include({
      problem: 'too_many_redirects',
      url: `${origin}/3`,
    });
    expect(asked).to.have.length(4);
    expect(await probe(`${origin}/0`)).to.deep.include({ status: 302 });
  });

  it('is aborted by its signal, also while it waits for the mutex of the host', async () => {
    const origin = await serve(() => {});
    const giveUp = AbortSignal.timeout(100);
    const probes = ['/a', '/b'].map((path) => probe(origin + path, { signal: giveUp }));
    for (const answer of await Promise.all(probes)) expect(answer).to.include({ problem: 'timeout' });
    expect(asked).to.deep.equal(['GET /a']);
  });

  it('vets every hop', async () => {
    const origin = await serve(
      (_request, response) => void response.writeHead(302, { Location: 'http://169.254.169.254/latest' }).end(),
    );
    expect(await probe(origin, { maxRedirects: 3 })).to.include({ problem: 'blocked_address' });
    const elsewhere = await serve(
      (_request, response) => void response.writeHead(302, { Location: 'javascript:alert(1)' }).end(),
    );
    expect(await probe(elsewhere, { maxRedirects: 3 })).to.include({ problem: 'bad_redirect' });
  });

  it('requests no private address unless allowed', async () => {
    const origin = await serve((_request, response) => void response.end());
    loadConfig({ LOG_LEVEL: 'silent' });
    try {
      expect(await probe(origin)).to.include({ problem: 'blocked_address' });
      expect(asked).to.deep.equal([]);
    } finally {
      loadConfig({ LOG_LEVEL: 'silent', ALLOW_PRIVATE_TARGETS: 'true' });
    }
  });

  it('sends one request at a time to a host', async () => {
    let underWay = 0;
    let most = 0;
    const origin = await serve((_request, response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      setTimeout(() => {
        underWay -= 1;
        response.end();
      }, 20);
    });
    await Promise.all([1, 2, 3].map(() => probe(origin)));
    expect([most, asked.length]).to.deep.equal([1, 3]);
  });

  it('stops at the deadline, also in the middle of a body', async () => {
    const silent = await serve(() => {});
    expect(await probe(silent, { timeoutMs: 100 })).to.include({ problem: 'timeout' });
    const dripping = await serve((_request, response) => void response.write('a'));
    expect(await probe(dripping, { timeoutMs: 100 })).to.include({ problem: 'timeout' });
  });
});
