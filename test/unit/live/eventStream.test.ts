// stores: none
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { LiveClick } from '../../../src/live/ClickFeed.ts';
import { EventStream } from '../../../src/live/EventStream.ts';
import { until } from '../../support/until.ts';

/** A click so large that a few of them fill what the system takes for a reader. */
const large = (id: string) => ({ id, data: { text: 'x'.repeat(500_000) } }) as unknown as LiveClick;

describe('a stream of events', () => {
  let server: Server;
  let stream: EventStream;
  let waiting: () => number;
  let reader: IncomingMessage;
  let closed = false;

  beforeEach(async () => {
    closed = false;
    server = createServer((_, response) => {
      stream = new EventStream(response);
      waiting = () => response.writableLength;
      response.once('close', () => {
        closed = true;
      });
      stream.begin();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    reader = await new Promise<IncomingMessage>((resolve) => get({ port, host: '127.0.0.1' }, resolve));
    reader.on('error', () => {});
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('keeps little for a slow reader, and tells it how much it missed', async () => {
    let text = '';
    const sent = 60;
    for (let at = 0; at < sent; at += 1) {
      stream.onClicks([large(`clk_${at}`)], 0);
      await new Promise(setImmediate);
      expect(waiting()).to.be.lessThan(700_000);
    }
    reader.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    const skipped = await until(
      () => /event: skipped\ndata: \{"count":(\d+)\}\n\n/.exec(text)?.[1],
      'the skipped ones',
    );
    const shown = text.match(/event: click/g)?.length ?? 0;
    expect(shown).to.be.greaterThan(0);
    expect(Number(skipped) + shown).to.equal(sent);
    stream.onClicks([large('clk_later')], 0);
    await until(() => text.includes('id: clk_later'), 'what comes later');
  });

  it('ends although the reader takes nothing', async () => {
    for (let at = 0; at < 60; at += 1) stream.onClicks([large(`clk_${at}`)], 0);
    stream.end();
    await until(() => closed, 'the end of the connection', 5000);
    stream.onClicks([large('clk_late')], 0);
    stream.beat();
  });
});
