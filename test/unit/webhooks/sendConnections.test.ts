import type { Socket } from 'node:net';
import { expect } from 'chai';
import { Loopback, type Respond, trustSelfSigned } from '../../support/loopback.ts';
import { requestTo, Senders } from '../../support/senders.ts';

describe('connections of the sender', () => {
  const loopback = new Loopback();
  const senders = new Senders();
  afterEach(async () => {
    trustSelfSigned(false);
    await senders.close();
    await loopback.close();
  });

  const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok';

  async function sendTwice(respond: Respond) {
    let connections = 0;
    let requests = 0;
    const port = await loopback.rawHttp((socket, connection, request) => {
      connections = Math.max(connections, connection);
      requests += 1;
      respond(socket, connection, request);
    });
    const kept = senders.make();
    const request = requestTo(port);
    const first = await kept.send(request);
    await new Promise((resolve) => setTimeout(resolve, 20));
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
    const result = await sendTwice((socket, connection, request) => {
      if (connection === 1 && request === 1) socket.write(OK);
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
    trustSelfSigned(true);
    for (const end of ['end', 'destroy'] as const) {
      const requests = new Map<Socket, number>();
      const port = await loopback.https((request, response) => {
        const count = (requests.get(request.socket) ?? 0) + 1;
        requests.set(request.socket, count);
        if (count === 1) response.end('ok');
        else request.socket[end]();
      });
      const kept = senders.make();
      const request = requestTo(`https://localhost:${port}/`);
      expect((await kept.send(request)).error).to.equal(null);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect((await kept.send(request)).error, end).to.equal(null);
      expect([...requests.values()]).to.deep.equal([2, 1]);
    }
  });

  it('of slow requests do not hold up others', async () => {
    let requests = 0;
    const port = await loopback.http((_request, response) => {
      if (++requests > 5) response.end();
    });
    const busy = senders.make({ timeoutMs: 500 });
    const request = requestTo(port);
    const slow = Array.from({ length: 5 }, () => busy.send(request));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const quick = await busy.send(request);
    expect(quick.error).to.equal(null);
    expect(quick.durationMs).to.be.below(300);
    expect((await Promise.all(slow)).map(({ error }) => error)).to.deep.equal(Array(5).fill('timeout'));
  });
});
