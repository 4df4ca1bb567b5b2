// stores: none
import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { Sender } from '../../../src/webhooks/send.ts';
import { Authority } from '../../support/authority.ts';
import { Loopback, type Respond } from '../../support/loopback.ts';
import { requestTo, Senders } from '../../support/senders.ts';
import { until } from '../../support/until.ts';

describe('connections of the sender', () => {
  const loopback = new Loopback();
  const senders = new Senders();
  let authority: Authority;
  let distrust: () => void;

  before(async () => {
    authority = await Authority.make();
    distrust = authority.trust();
  });
  after(() => distrust());
  afterEach(async () => {
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

  it('are kept when an interim answer came first, also under TLS', async () => {
    const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
    const result = await sendTwice((socket) => socket.write(CONTINUE + OK));
    expect(result).to.deep.equal({ errors: [null, null], connections: 1, requests: 2 });

    const sockets = new Set<Socket>();
    const port = await loopback.https(
      ({ socket }) => {
        sockets.add(socket);
        socket.write(CONTINUE + OK);
      },
      await authority.issue({ names: ['localhost'] }),
    );
    const kept = senders.make();
    for (let sent = 0; sent < 2; sent += 1) {
      const { error, responseBody } = await kept.send(requestTo(`https://localhost:${port}/`));
      expect({ error, responseBody }).to.deep.equal({ error: null, responseBody: 'ok' });
    }
    expect(sockets.size).to.equal(1);
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
    const certificate = await authority.issue({ names: ['localhost'] });
    for (const end of ['end', 'destroy'] as const) {
      const requests = new Map<Socket, number>();
      const port = await loopback.https((request, response) => {
        const count = (requests.get(request.socket) ?? 0) + 1;
        requests.set(request.socket, count);
        if (count === 1) response.end('ok');
        else request.socket[end]();
      }, certificate);
      const kept = senders.make();
      const request = requestTo(`https://localhost:${port}/`);
      expect((await kept.send(request)).error).to.equal(null);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect((await kept.send(request)).error, end).to.equal(null);
      expect([...requests.values()]).to.deep.equal([2, 1]);
    }
  });

  it('are not used again when a receiver had more to say', async () => {
    for (const rest of ['x', 'HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n', 'HTTP/1.1 200 OK\r\n']) {
      const result = await sendTwice((socket) => socket.write(OK + rest));
      expect(result, rest).to.deep.equal({ errors: [null, null], connections: 2, requests: 2 });
    }
  });

  describe('that are idle', () => {
    const sendTo = (sender: Sender, host: string, port: number) => sender.send(requestTo(`http://${host}:${port}/`));

    /** An answer of a receiver that never ends a connection and promises to keep it. */
    const keptFor = (seconds: number) => OK.replace('Connection: keep-alive', `Keep-Alive: timeout=${seconds}`);

    it('are at most 100 for one host', async () => {
      const port = await loopback.rawHttp((socket) => setTimeout(() => socket.write(keptFor(60)), 50));
      const sender = senders.make();
      await Promise.all(Array.from({ length: 120 }, () => sendTo(sender, '127.0.0.1', port)));
      await until(() => loopback.openConnections === 100, '100 connections');
    });

    it('are at most 500 in all: the oldest make room', async () => {
      const port = await loopback.rawHttp((socket) => socket.write(keptFor(60)));
      const sender = senders.make();
      for (let index = 0; index < 520; index += 1) {
        expect((await sendTo(sender, `host${index}.localhost`, port)).error).to.equal(null);
      }
      await until(() => loopback.openConnections === 500, '500 connections');
    });

    it('are closed as soon as the receiver says, and leave nothing behind', async () => {
      const port = await loopback.rawHttp((socket) => socket.write(keptFor(3)));
      const sender = senders.make();
      for (let index = 0; index < 5; index += 1) await sendTo(sender, `host${index}.localhost`, port);
      expect(loopback.openConnections).to.equal(5);
      await until(() => loopback.openConnections === 0, 'the end of all connections', 4000);
    });
  });

  it('of slow requests do not hold up others', async () => {
    let requests = 0;
    const port = await loopback.http((_request, response) => {
      if (++requests > 5) response.end();
    });
    const busy = senders.make({ timeoutMs: 2000 });
    const request = requestTo(port);
    const slow = Array.from({ length: 5 }, () => busy.send(request));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const quick = await busy.send(request);
    expect(quick.error).to.equal(null);
    expect(quick.durationMs).to.be.below(1500);
    expect((await Promise.all(slow)).map(({ error }) => error)).to.deep.equal(Array(5).fill('timeout'));
  });
});
