// stores: none
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { freePort } from '../../support/child.ts';
import { LATE_MS } from '../../support/lateness.ts';
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
      expect(result.durationMs).to.be.within(0, LATE_MS).and.satisfy(Number.isInteger);
      const [method, url, sent, headers] = seen as [string, string, string, Record<string, string>];
      expect([method, url, sent]).to.deep.equal(['POST', '/in?x=1', sentBody]);
      expect(headers).to.include({
        host: `127.0.0.1:${port}`,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(sentBody)),
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

    it('that comes compressed, although it should not, can be stored', async () => {
      const port = await loopback.http((_request, response) =>
        response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('thanks')),
      );
      const { error, responseBody } = await senders.post(port);
      expect(error).to.equal(null);
      expect(responseBody).to.be.a('string').and.not.include('\u0000');
    });

    it('keeps headers of any bytes and names', async () => {
      const port = await loopback.rawHttp((socket) =>
        socket.write(
          'HTTP/1.1 200 OK\r\nX-A: caf\u00e9\r\n__proto__: x\r\nconstructor: y\r\nContent-Length: 0\r\n\r\n',
          'latin1',
        ),
      );
      const { error, responseHeaders } = await senders.post(port);
      expect(error).to.equal(null);
      expect(responseHeaders).to.include({ 'x-a': 'café', constructor: 'y' });
    });

    it('keeps 50 headers of 1 KiB each, and heeds the others', async () => {
      const port = await loopback.http((_request, response) => {
        response.setHeader('X-Long', 'y'.repeat(3000));
        for (let index = 0; index < 80; index += 1) response.setHeader(`X-${index}`, 'z');
        response.setHeader('Retry-After', '77');
        response.writeHead(429).end();
      });
      const { responseHeaders, error, retryAfterSeconds } = await senders.post(port);
      expect([error, retryAfterSeconds]).to.deep.equal(['status', 77]);
      expect(Object.keys(responseHeaders ?? {})).to.have.length(50);
      expect(responseHeaders?.['x-long']).to.equal('y'.repeat(1024));
    });
  });

  describe('a request', () => {
    it('that nobody listens for fails to connect', async () => {
      expect(await senders.post(await freePort())).to.deep.include({
        statusCode: null,
        responseHeaders: null,
        responseBody: null,
        error: 'connect',
      });
    });

    const big = (port: number) => ({ ...requestTo(port), body: 'x'.repeat(20_000_000) });

    it('that is never read times out', async () => {
      const request = big(await loopback.tcp((socket) => void socket.pause()));
      const result = await senders.make({ timeoutMs: 300 }).send(request);
      expect(result.error).to.equal('timeout');
      expect(result.durationMs).to.be.within(290, LATE_MS);
    });

    it('may be answered before it was read; the next one does not wait for the rest of it', async () => {
      let connections = 0;
      const port = await loopback.tcp((socket) => {
        connections += 1;
        socket.once('data', () => {
          socket.pause();
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        });
      });
      const sender = senders.make();
      for (const request of [big(port), requestTo(port)]) {
        expect(await sender.send(request)).to.include({ error: null, responseBody: 'ok' });
      }
      expect(connections).to.equal(2);
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
