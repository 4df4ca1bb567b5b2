// stores: none
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { gracefulClose } from '../../../src/net/gracefulClose.ts';
import { arriveInStandstill } from '../../support/standStill.ts';

/** For idle connections and slow clients, in milliseconds. */
const WAIT_MS = 200;

describe('the graceful close of a server', () => {
  it('leaves no listeners on a connection whose requests are answered before their bodies arrive', async () => {
    let connection: Socket | undefined;
    const server = createServer((request, response) => {
      connection = request.socket;
      request.resume();
      response.end();
    });
    const closing = gracefulClose(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const listeners: number[] = [];
    try {
      for (let sent = 0; sent < 5; sent++) {
        client.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n');
        await once(client, 'data');
        client.write('body');
        listeners.push(connection?.listenerCount('close') ?? 0);
      }
    } finally {
      client.destroy();
      await closing.end();
    }
    expect(listeners.at(-1)).to.equal(listeners[0]);
  });

  for (const { about, first, rest } of [
    { about: 'a request', first: '', rest: 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n' },
    {
      about: 'the rest of a request',
      first: 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n',
      rest: 'body',
    },
  ]) {
    it(`answers ${about} that arrived while the process stood still, beyond the time for which it waits`, async () => {
      const server = createServer((request, response) => {
        request.resume().once('end', () => response.end());
      });
      const closing = gracefulClose(server, WAIT_MS);
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
      const received = new Promise<string>((resolve) => {
        client.once('data', (data) => resolve(String(data)));
        client.once('error', ({ message }) => resolve(message));
        client.once('close', () => resolve('closed'));
      });
      await once(server, 'connection');
      if (first) {
        client.write(first);
        await once(server, 'request');
      }
      const ended = closing.end(WAIT_MS);
      await delay(WAIT_MS * (first ? 1.05 : 0.5));
      await arriveInStandstill(WAIT_MS, () => client.write(rest));
      expect(await received).to.match(/^HTTP\/1\.1 200 /);
      client.destroy();
      await ended;
    });
  }
});
