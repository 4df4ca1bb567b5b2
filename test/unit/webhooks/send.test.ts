import type { Socket } from 'node:net';
import { expect } from 'chai';
import { Loopback } from '../../support/loopback.ts';
import { requestTo, Senders, sentBody } from '../../support/senders.ts';

describe('the sender', () => {
  const loopback = new Loopback();
  const senders = new Senders();
  afterEach(async () => {
    await senders.close();
    await loopback.close();
  });

  describe('an answer', () => {
    it('of 2xx is success; the request arrives as it was given', async () => {
      let seen: unknown;
      const port = await loopback.http(async (request, response) => {
        const chunks = await request.toArray();
        seen = [request.method, request.url, Buffer.concat(chunks).toString(), request.headers];
        response.writeHead(202, { 'X-Answer': 'yes', 'Set-Cookie': ['a=1', 'b=2'] }).end('thanks');
      });
      const result = await senders.post(port);
      expect(result).to.include({ statusCode: 202, responseBody: 'thanks', error: null, retryAfterSeconds: null });
      expect(result.responseHeaders).to.include({ 'x-answer': 'yes', 'set-cookie': 'a=1,b=2' });
      expect(result.durationMs).to.be.within(0, 1000).and.satisfy(Number.isInteger);
      const [method, url, sent, headers] = seen as [string, string, string, Record<string, string>];
      expect([method, url, sent]).to.deep.equal(['POST', '/in?x=1', sentBody]);
      expect(headers).to.include({
        host: `127.0.0.1:${port}`,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(sentBody)),
        'accept-encoding': 'identity',
        'svc-event-id': 'evt_1',
      });
    });

    for (const status of [301, 308, 304, 400, 404, 429, 500, 503]) {
      it(`of ${status} is none, and no redirect is followed`, async () => {
        let requests = 0;
        const port = await loopback.http((_request, response) => {
          requests += 1;
          response.writeHead(status, { Location: '/elsewhere', 'Retry-After': '77' }).end();
        });
        expect(await senders.post(port)).to.include({
          statusCode: status,
          error: 'status',
          retryAfterSeconds: status === 429 || status === 503 ? 77 : null,
        });
        expect(requests).to.equal(1);
      });
    }

    it('keeps 4 KiB of the body and does not fail over a longer one', async () => {
      const port = await loopback.http((_request, response) => response.end('é'.repeat(30_000)));
      const result = await senders.post(port);
      expect(result.error).to.equal(null);
      expect(result.responseBody).to.equal('é'.repeat(2048));
    });

    it('that never ends is cut at 64 KiB, and its status counts', async () => {
      const port = await loopback.http((_request, response) => {
        const more = () => response.write('x'.repeat(50_000), () => response.destroyed || setImmediate(more));
        more();
      });
      expect(await senders.post(port)).to.include({ statusCode: 200, error: null, responseBody: 'x'.repeat(4096) });
    });

    it('does not end in half a character', async () => {
      const port = await loopback.http((_request, response) => response.end(`x${'é'.repeat(3000)}`));
      expect((await senders.post(port)).responseBody).to.equal(`x${'é'.repeat(2047)}`);
    });

    it('with NUL or broken UTF-8 can be stored', async () => {
      const port = await loopback.http((_request, response) =>
        response.end(Buffer.from([0x61, 0, 0xff, 0xc3, 0x62, 0xe2])),
      );
      expect((await senders.post(port)).responseBody).to.equal('a\ufffd\ufffd\ufffdb\ufffd');
    });

    it('keeps 50 headers of 1 KiB each', async () => {
      const port = await loopback.http((_request, response) => {
        response.setHeader('X-Long', 'y'.repeat(3000));
        for (let index = 0; index < 80; index += 1) response.setHeader(`X-${index}`, 'z');
        response.end();
      });
      const { responseHeaders, error } = await senders.post(port);
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
        const port = await loopback.rawHttp((socket) => socket.end(answer));
        expect((await senders.post(port)).error).to.be.oneOf(errors);
      });
    }

    it('resets within the answer: the status is told, and yet it failed', async () => {
      const port = await loopback.rawHttp((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc', () =>
          setTimeout(() => socket.resetAndDestroy(), 20),
        );
      });
      expect(await senders.post(port)).to.include({ statusCode: 200, error: 'reset' });
    });

    it('refuses connections', async () => {
      expect(await senders.post(await loopback.closedPort())).to.deep.include({
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
        const port = await loopback.rawHttp(respond);
        const result = await senders.post(port, { timeoutMs: 300 });
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
      const port = await loopback.tcp((socket) => void socket.pause());
      const request = { ...requestTo(port), body: 'x'.repeat(20_000_000) };
      expect((await senders.make({ timeoutMs: 300 }).send(request)).error).to.equal('timeout');
    });
  });

  it('closes after what is under way, twice if need be, and sends nothing more', async () => {
    const port = await loopback.http((_request, response) => void setTimeout(() => response.end(), 100));
    const closing = senders.make();
    const request = requestTo(port);
    const underWay = closing.send(request);
    await Promise.all([closing.close(), closing.close()]);
    expect((await underWay).error).to.equal(null);
    const error = await closing.send(request).catch((reason: Error) => reason);
    expect(error).to.be.instanceOf(Error);
  });

  it('rejects for a fault of ours', async () => {
    const port = await loopback.http((_request, response) => response.end());
    const request = { ...requestTo(port), headers: { 'X-Bad': 'a\r\nb' } };
    const error = await senders
      .make()
      .send(request)
      .catch((reason: Error) => reason);
    expect(error).to.be.instanceOf(Error);
  });
});
