import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import { expect } from 'chai';
import type { Resolver } from '../../../src/webhooks/resolver.ts';
import { createSender, type Sender } from '../../../src/webhooks/send.ts';

const certificate = (part: string) =>
  readFileSync(new URL(`../../support/certs/self-signed.${part}.pem`, import.meta.url), 'utf8');
const body = JSON.stringify({ id: 'evt_1', title: 'Frühling ☀' });
const hanging: Resolver = () => new Promise(() => {});
const to =
  (...addresses: string[]): Resolver =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('the sender', () => {
  const opened: { servers: Server[]; sockets: Set<Socket>; senders: Sender[] } = {
    servers: [],
    sockets: new Set(),
    senders: [],
  };

  afterEach(async () => {
    await Promise.all(opened.senders.splice(0).map((sender) => sender.close()));
    for (const socket of opened.sockets) socket.destroy();
    opened.sockets.clear();
    await Promise.all(opened.servers.splice(0).map((server) => server.close() && once(server, 'close')));
  });

  async function listen(server: Server): Promise<number> {
    server.on('connection', (socket: Socket) => {
      opened.sockets.add(socket);
      socket.on('error', () => {});
    });
    opened.servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
  const listenHttp = (answer: RequestListener) => listen(createHttpServer(answer));
  const listenHttps = (answer: RequestListener, options: tls.TlsOptions = {}) =>
    listen(createHttpsServer({ key: certificate('key'), cert: certificate('crt'), ...options }, answer));
  /** `respond` gets each socket once the head of a request has come. */
  const listenTcp = (respond: (socket: Socket, connection: number, request: number) => void) => {
    let connections = 0;
    return listen(
      createTcpServer((socket) => {
        const connection = ++connections;
        let requests = 0;
        socket.on('data', (data) => data.includes('POST /') && respond(socket, connection, ++requests));
      }),
    );
  };

  function sender(options: { timeoutMs?: number; allowPrivate?: boolean; resolver?: Resolver } = {}): Sender {
    const { timeoutMs = 2000, allowPrivate = true, ...others } = options;
    const made = createSender({ timeoutMs: () => timeoutMs, allowPrivate: () => allowPrivate, ...others });
    opened.senders.push(made);
    return made;
  }
  const post = (url: string | number, options: Parameters<typeof sender>[0] = {}) =>
    sender(options).send({
      url: typeof url === 'number' ? `http://127.0.0.1:${url}/in?x=1` : url,
      headers: { 'Content-Type': 'application/json', 'SVC-Event-Id': 'evt_1' },
      body,
    });

  describe('an answer', () => {
    it('of 2xx is success; the request arrives as it was given', async () => {
      let seen: unknown;
      const port = await listenHttp(async (request, response) => {
        const chunks = await request.toArray();
        seen = [request.method, request.url, Buffer.concat(chunks).toString(), request.headers];
        response.writeHead(202, { 'X-Answer': 'yes', 'Set-Cookie': ['a=1', 'b=2'] }).end('thanks');
      });
      const result = await post(port);
      expect(result).to.include({ statusCode: 202, responseBody: 'thanks', error: null, retryAfterSeconds: null });
      expect(result.responseHeaders).to.include({ 'x-answer': 'yes', 'set-cookie': 'a=1,b=2' });
      expect(result.durationMs).to.be.within(0, 1000).and.satisfy(Number.isInteger);
      const [method, url, sent, headers] = seen as [string, string, string, Record<string, string>];
      expect([method, url, sent]).to.deep.equal(['POST', '/in?x=1', body]);
      expect(headers).to.include({
        host: `127.0.0.1:${port}`,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'accept-encoding': 'identity',
        'svc-event-id': 'evt_1',
      });
    });

    for (const status of [301, 308, 304, 400, 404, 429, 500, 503]) {
      it(`of ${status} is none, and no redirect is followed`, async () => {
        let requests = 0;
        const port = await listenHttp((_request, response) => {
          requests += 1;
          response.writeHead(status, { Location: '/elsewhere', 'Retry-After': '77' }).end();
        });
        expect(await post(port)).to.include({
          statusCode: status,
          error: 'status',
          retryAfterSeconds: status === 429 || status === 503 ? 77 : null,
        });
        expect(requests).to.equal(1);
      });
    }

    it('keeps 4 KiB of the body and does not fail over a longer one', async () => {
      const port = await listenHttp((_request, response) => response.end('é'.repeat(30_000)));
      const result = await post(port);
      expect(result.error).to.equal(null);
      expect(result.responseBody).to.equal('é'.repeat(2048));
    });

    it('that never ends is cut at 64 KiB, and its status counts', async () => {
      const port = await listenHttp((_request, response) => {
        const more = () => response.write('x'.repeat(50_000), () => response.destroyed || setImmediate(more));
        more();
      });
      expect(await post(port)).to.include({ statusCode: 200, error: null, responseBody: 'x'.repeat(4096) });
    });

    it('does not end in half a character', async () => {
      const port = await listenHttp((_request, response) => response.end(`x${'é'.repeat(3000)}`));
      expect((await post(port)).responseBody).to.equal(`x${'é'.repeat(2047)}`);
    });

    it('with NUL or broken UTF-8 can be stored', async () => {
      const port = await listenHttp((_request, response) =>
        response.end(Buffer.from([0x61, 0, 0xff, 0xc3, 0x62, 0xe2])),
      );
      expect((await post(port)).responseBody).to.equal('a\ufffd\ufffd\ufffdb\ufffd');
    });

    it('keeps 50 headers of 1 KiB each', async () => {
      const port = await listenHttp((_request, response) => {
        response.setHeader('X-Long', 'y'.repeat(3000));
        for (let index = 0; index < 80; index += 1) response.setHeader(`X-${index}`, 'z');
        response.end();
      });
      const { responseHeaders, error } = await post(port);
      expect(error).to.equal(null);
      expect(Object.keys(responseHeaders ?? {})).to.have.length(50);
      expect(responseHeaders?.['x-long']).to.equal('y'.repeat(1024));
    });
  });

  describe('a broken receiver', () => {
    const broken: [name: string, answer: string, errors: string[]][] = [
      ['closes before answering', '', ['reset']],
      ['closes within the headers', 'HTTP/1.1 200 OK\r\nX-A: b', ['reset', 'bad_response']],
      [
        'closes within a body of known length',
        'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc',
        ['reset', 'bad_response'],
      ],
      [
        'closes within chunks',
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
        ['reset', 'bad_response'],
      ],
      ['does not speak HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', ['bad_response']],
      ['sends headers without end', `HTTP/1.1 200 OK\r\nX-A: ${'b'.repeat(40_000)}\r\n\r\n`, ['bad_response']],
      ['wants to upgrade', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', ['bad_response']],
    ];
    for (const [name, answer, errors] of broken) {
      it(name, async () => {
        const port = await listenTcp((socket) => socket.end(answer));
        expect((await post(port)).error).to.be.oneOf(errors);
      });
    }

    it('resets within the answer: the status is told, and yet it failed', async () => {
      const port = await listenTcp((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc', () =>
          setTimeout(() => socket.resetAndDestroy(), 20),
        );
      });
      expect(await post(port)).to.include({ statusCode: 200, error: 'reset' });
    });

    it('refuses connections', async () => {
      const port = await listenHttp(() => {});
      opened.servers.splice(0).map((server) => server.close());
      expect(await post(port)).to.deep.include({
        statusCode: null,
        responseHeaders: null,
        responseBody: null,
        error: 'connect',
      });
    });

    const slow: [name: string, respond: (socket: Socket) => void][] = [
      ['never answers', () => {}],
      ['drips its headers', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n')],
      ['drips its body', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n')],
      ['repeats interim answers', (socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
    ];
    for (const [name, respond] of slow) {
      it(`${name}: times out`, async () => {
        const port = await listenTcp(respond);
        const result = await post(port, { timeoutMs: 300 });
        expect(result.error).to.equal('timeout');
        expect(result.durationMs).to.be.within(290, 900);
      });
    }

    function drip(socket: Socket, head: string, piece = 'x'): void {
      socket.write(head);
      const timer = setInterval(() => socket.write(piece), 20);
      socket.on('close', () => clearInterval(timer));
    }

    it('never reads a big request: times out', async () => {
      const port = await listen(createTcpServer((socket) => void socket.pause()));
      const request = { url: `http://127.0.0.1:${port}/`, headers: {}, body: 'x'.repeat(20_000_000) };
      expect((await sender({ timeoutMs: 300 }).send(request)).error).to.equal('timeout');
    });
  });

  describe('addresses', () => {
    const blocked: [name: string, url: string, resolver: Resolver | undefined, allowPrivate: boolean][] = [
      ['a private literal', 'https://10.0.0.1/', undefined, false],
      ['an http URL', 'http://hooks.example.com/', to('8.8.8.8'), false],
      ['a name with a private address', 'https://hooks.example.com/', to('10.0.0.1'), false],
      ['one bad address among good ones', 'https://hooks.example.com/', to('8.8.8.8', '2606:4700::1', '::1'), false],
      ['metadata in development', 'http://hooks.example.com/', to('127.0.0.1', '169.254.169.254'), true],
      ['a metadata literal in development', 'http://169.254.169.254/', undefined, true],
    ];
    for (const [name, url, resolver, allowPrivate] of blocked) {
      it(`${name}: blocked, nothing is connected to`, async () => {
        const result = await post(url, { allowPrivate, ...(resolver && { resolver }) });
        expect(result).to.deep.include({ statusCode: null, error: 'blocked_address' });
      });
    }

    it('are asked for once and connected to as they were vetted', async () => {
      const port = await listenHttp((request, response) => response.end(request.headers.host));
      let asked = 0;
      const resolver: Resolver = async (name) => to(++asked === 1 ? '127.0.0.1' : '169.254.169.254')(name);
      const result = await post(`http://hooks.example.com:${port}/`, { resolver });
      expect(result).to.include({ error: null, responseBody: `hooks.example.com:${port}` });
    });

    it('are tried in turn', async () => {
      const port = await listenHttp((_request, response) => response.end());
      const result = await post(`http://hooks.example.com:${port}/`, { resolver: to('::1', '127.0.0.2', '127.0.0.1') });
      expect(result.error).to.equal(null);
    });

    it('that cannot be found are a DNS error', async () => {
      const lost: Resolver = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
      for (const resolver of [lost, to()]) {
        expect((await post('http://hooks.example.com/', { resolver })).error).to.equal('dns');
      }
    });

    it('that are never found time out', async () => {
      const result = await post('http://hooks.example.com/', { resolver: hanging, timeoutMs: 300 });
      expect(result.error).to.equal('timeout');
      expect(result.durationMs).to.be.within(290, 900);
    });

    it('come from the system by default', async () => {
      const port = await listenHttp((_request, response) => response.end());
      expect((await post(`http://localhost:${port}/`)).error).to.equal(null);
    });
  });

  describe('TLS', () => {
    const trusted = tls.getCACertificates('default');
    const trustOurs = () => tls.setDefaultCACertificates([...trusted, certificate('crt')]);
    afterEach(() => tls.setDefaultCACertificates(trusted));
    const answer: RequestListener = (_request, response) => void response.end('safe');

    it('refuses a self-signed certificate', async () => {
      const port = await listenHttps(answer);
      expect(await post(`https://localhost:${port}/`)).to.include({ statusCode: null, error: 'tls' });
    });

    it('accepts a certificate of a trusted authority, for a name and for an address', async () => {
      trustOurs();
      const port = await listenHttps(answer);
      for (const host of ['localhost', '127.0.0.1']) {
        expect(await post(`https://${host}:${port}/`)).to.include({ error: null, responseBody: 'safe' });
      }
    });

    it('refuses a certificate for another name', async () => {
      trustOurs();
      const port = await listenHttps(answer);
      const result = await post(`https://hooks.example.com:${port}/`, { resolver: to('127.0.0.1') });
      expect(result.error).to.equal('tls');
    });

    it('refuses TLS below 1.2', async () => {
      trustOurs();
      const port = await listenHttps(answer, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' });
      expect((await post(`https://localhost:${port}/`)).error).to.equal('tls');
    });

    it('is an error where the receiver speaks none, or wants a certificate of ours', async () => {
      trustOurs();
      const plain = await listenTcp(() => {});
      opened.servers.at(-1)?.on('connection', (socket: Socket) => socket.end('hello\r\n'));
      expect((await post(`https://localhost:${plain}/`)).error).to.equal('tls');
      const mutual = await listenHttps(answer, { requestCert: true, rejectUnauthorized: true });
      expect((await post(`https://localhost:${mutual}/`)).error).to.be.oneOf(['tls', 'reset']);
    });

    it('times out where the handshake hangs', async () => {
      const port = await listen(createTcpServer(() => {}));
      const result = await post(`https://localhost:${port}/`, { timeoutMs: 300 });
      expect(result.error).to.equal('timeout');
      expect(result.durationMs).to.be.within(290, 900);
    });
  });

  describe('connections', () => {
    const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok';

    async function sendTwice(respond: Parameters<typeof listenTcp>[0], pauseMs = 20) {
      let connections = 0;
      let requests = 0;
      const port = await listenTcp((socket, connection, request) => {
        connections = Math.max(connections, connection);
        requests += 1;
        respond(socket, connection, request);
      });
      const kept = sender();
      const request = { url: `http://127.0.0.1:${port}/`, headers: {}, body };
      const first = await kept.send(request);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      const second = await kept.send(request);
      return { errors: [first.error, second.error], connections, requests };
    }

    it('are kept and used again', async () => {
      const result = await sendTwice((socket) => socket.write(OK));
      expect(result).to.deep.equal({ errors: [null, null], connections: 1, requests: 2 });
    });

    it('are not kept when the receiver closes them', async () => {
      const result = await sendTwice((socket) => socket.end(OK));
      expect(result).to.deep.equal({ errors: [null, null], connections: 2, requests: 2 });
    });

    it('are dialled anew, once, when a kept one ends before a byte came back', async () => {
      for (const end of ['destroy', 'resetAndDestroy', 'end'] as const) {
        const result = await sendTwice((socket, _connection, request) => {
          if (request === 2) socket[end]();
          else socket.write(OK);
        });
        expect(result, end).to.deep.equal({ errors: [null, null], connections: 2, requests: 3 });
      }
    });

    it('are dialled anew only once', async () => {
      const result = await sendTwice((socket, connection) => {
        if (connection === 1 && socket.bytesWritten === 0) socket.write(OK);
        else socket.resetAndDestroy();
      });
      expect(result).to.deep.equal({ errors: [null, 'reset'], connections: 2, requests: 3 });
    });

    it('are not dialled anew when part of an answer had come, or when they were new', async () => {
      const half = await sendTwice((socket, _connection, request) => {
        if (request === 1) socket.write(OK);
        else socket.write('HTTP/1.1 2', () => setTimeout(() => socket.resetAndDestroy(), 20));
      });
      expect(half).to.deep.equal({ errors: [null, 'reset'], connections: 1, requests: 2 });
      const fresh = await sendTwice((socket) => socket.resetAndDestroy());
      expect(fresh).to.deep.equal({ errors: ['reset', 'reset'], connections: 2, requests: 2 });
    });

    it('are dialled anew under TLS too', async () => {
      const trusted = tls.getCACertificates('default');
      tls.setDefaultCACertificates([...trusted, certificate('crt')]);
      try {
        for (const end of ['end', 'destroy'] as const) {
          const requests = new Map<Socket, number>();
          const port = await listenHttps((request, response) => {
            const count = (requests.get(request.socket) ?? 0) + 1;
            requests.set(request.socket, count);
            if (count === 1) response.end('ok');
            else request.socket[end]();
          });
          const kept = sender();
          const request = { url: `https://localhost:${port}/`, headers: {}, body };
          expect((await kept.send(request)).error).to.equal(null);
          await new Promise((resolve) => setTimeout(resolve, 20));
          expect((await kept.send(request)).error, end).to.equal(null);
          expect([...requests.values()]).to.deep.equal([2, 1]);
        }
      } finally {
        tls.setDefaultCACertificates(trusted);
      }
    });

    it('of slow requests do not hold up others', async () => {
      let requests = 0;
      const port = await listenHttp((_request, response) => {
        if (++requests > 5) response.end();
      });
      const busy = sender({ timeoutMs: 500 });
      const request = { url: `http://127.0.0.1:${port}/`, headers: {}, body };
      const slow = Array.from({ length: 5 }, () => busy.send(request));
      await new Promise((resolve) => setTimeout(resolve, 50));
      const quick = await busy.send(request);
      expect(quick.error).to.equal(null);
      expect(quick.durationMs).to.be.below(300);
      expect((await Promise.all(slow)).map(({ error }) => error)).to.deep.equal(Array(5).fill('timeout'));
    });
  });

  it('closes after what is under way, twice if need be, and sends nothing more', async () => {
    const port = await listenHttp((_request, response) => void setTimeout(() => response.end(), 100));
    const closing = sender();
    const request = { url: `http://127.0.0.1:${port}/`, headers: {}, body };
    const underWay = closing.send(request);
    await Promise.all([closing.close(), closing.close()]);
    expect((await underWay).error).to.equal(null);
    const error = await closing.send(request).catch((reason: Error) => reason);
    expect(error).to.be.instanceOf(Error);
  });

  it('rejects for a fault of ours', async () => {
    const port = await listenHttp((_request, response) => response.end());
    const request = { url: `http://127.0.0.1:${port}/`, headers: { 'X-Bad': 'a\r\nb' }, body };
    const error = await sender()
      .send(request)
      .catch((reason: Error) => reason);
    expect(error).to.be.instanceOf(Error);
  });
});
