// stores: none
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { gracefulClose } from '../../../src/net/gracefulClose.ts';

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
});
