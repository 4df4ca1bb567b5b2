// stores: none
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { slackLeft, watchPace } from '../../../facade/archive/clientPace.ts';

const PACE = { bytesPerSecond: 1000, slackMs: 10_000, everyMs: 1000 };

describe('the pace of a client', () => {
  const INTERVALS: [what: string, takenBytes: number, isWaiting: boolean, leftMs: number][] = [
    ['that reads nothing', 0, true, 4000],
    ['that reads half as fast as it should', 500, true, 4500],
    ['that reads as fast as it should', 1000, true, 5000],
    ['that catches up', 3000, true, 7000],
    ['that is much faster, which is not saved up', 1_000_000, true, 10_000],
    ['that waits for the server', 0, false, 5000],
  ];
  for (const [what, takenBytes, isWaiting, leftMs] of INTERVALS) {
    it(`leaves ${leftMs} of 5000 ms to one ${what}`, () => {
      expect(slackLeft(PACE, 5000, { takenBytes, isWaiting })).to.equal(leftMs);
    });
  }

  /** More than the sockets of both sides take, in pieces: what is taken of a piece is seen when all of it is. */
  const PIECE = randomBytes(100_000);
  const sendAll = (response: ServerResponse) => void Readable.from(Array(300).fill(PIECE)).pipe(response);

  /** How a server that answers by `send`, under a watch with little slack, fares with a client. */
  const serve = async (send: (response: ServerResponse) => void, read: (response: IncomingMessage) => void) => {
    const server = createServer((_, response) => {
      const end = watchPace(response, { bytesPerSecond: 1_000_000, slackMs: 200, everyMs: 20 });
      response.on('close', () => {
        end();
        server.emit('served', response.writableFinished ? 'complete' : 'cut off');
      });
      send(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false }, read);
    client.on('error', () => {});
    const [outcome] = await once(server, 'served');
    client.destroy();
    server.close();
    return outcome;
  };

  it('is too slow when it reads nothing', async () => {
    expect(await serve(sendAll, (response) => void response.pause())).to.equal('cut off');
  });

  it('is fast enough when it reads all that there is, however slow the server is', async () => {
    const slowly = (response: ServerResponse) => {
      response.write('the beginning');
      // Longer than the slack.
      setTimeout(() => sendAll(response), 500);
    };
    expect(await serve(slowly, (response) => void response.resume())).to.equal('complete');
  });
});
