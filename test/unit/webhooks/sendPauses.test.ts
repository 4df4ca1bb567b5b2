// stores: none
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { ProcessPaused } from '../../../src/webhooks/send.ts';
import { freePort } from '../../support/child.ts';
import { Loopback } from '../../support/loopback.ts';
import { requestTo, Senders } from '../../support/senders.ts';
import { standStill } from '../../support/standStill.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const TIMEOUT_MS = 500;
const PAUSE_MS = 2000;

describe("a pause of the sender's process", () => {
  const loopback = new Loopback();
  const senders = new Senders();
  afterEach(async () => {
    await senders.close();
    await loopback.close();
  });

  /** An attempt; the process stands still once the receiver has done this. */
  async function attemptWith(receive: (socket: Socket) => void) {
    const port = await loopback.rawHttp((socket) => {
      receive(socket);
      standStill(PAUSE_MS);
    });
    const sender = senders.make({ timeoutMs: TIMEOUT_MS, heedsPauses: true });
    return sender.send(requestTo(port)).catch((error: Error) => error);
  }

  it('past the deadline loses no answer that came in time', async () => {
    for (const receive of [(socket: Socket) => void socket.write(OK), (socket: Socket) => void socket.end(OK)]) {
      expect(await attemptWith(receive)).to.include({ error: null, statusCode: 200, responseBody: 'ok' });
    }
  });

  it('is no failure of a receiver whose answer did not come, or broke off', async () => {
    for (const receive of [
      () => {},
      (socket: Socket) => void socket.destroy(),
      (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nok'),
      (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nok'),
    ]) {
      expect(await attemptWith(receive)).to.be.instanceOf(ProcessPaused);
    }
  });

  it('changes nothing about what a receiver answered', async () => {
    const refusing = (socket: Socket) => void socket.write('HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n');
    expect(await attemptWith(refusing)).to.include({ error: 'status', statusCode: 500 });
    const talking = (socket: Socket) => void socket.write('SSH-2.0-OpenSSH_9.2\r\n\r\n');
    expect(await attemptWith(talking)).to.include({ error: 'bad_response', statusCode: null });
  });

  it('before an attempt does not excuse it', async () => {
    const port = await freePort();
    const sender = senders.make({ timeoutMs: TIMEOUT_MS, heedsPauses: true });
    standStill(PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await sender.send(requestTo(port))).to.include({ error: 'connect' });
  });
});
