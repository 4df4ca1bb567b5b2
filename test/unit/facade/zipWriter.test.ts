// stores: none
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import { type Piece, sendZip } from '../../../facade/archive/ZipWriter.ts';
import { readZip } from '../../support/readZip.ts';

/** 200,000 clicks of 100 bytes that no compression makes smaller. */
const PIECES = 400;
const ROWS = 500;
const ROW_BYTES = 100;
/** What the streams between a page and the client may hold: far less than the 20 MB of the whole. */
const MAX_AHEAD = 1_000_000;

const never = new AbortController().signal;

describe('a ZIP that is written while it is sent', () => {
  it('is written as fast as the client reads, with few rows in memory', async () => {
    let made = 0;
    let furthestAhead = 0;
    async function* pieces(): AsyncGenerator<Piece> {
      for (let at = 0; at < PIECES; at += 1) {
        const text = randomBytes((ROWS * ROW_BYTES * 3) / 4).toString('base64');
        made += text.length;
        yield { text, rows: ROWS };
      }
    }
    let read = 0;
    const slow = new Writable({
      highWaterMark: 16_384,
      write(chunk: Buffer, _, done) {
        read += chunk.length;
        // Base64 takes up to a third more before its compression than after it.
        furthestAhead = Math.max(furthestAhead, made - (read * 4) / 3);
        setImmediate(done);
      },
    });
    let rows = 0;
    await sendZip(slow as ServerResponse, never, async (writer) => {
      await writer.add('clicks.ndjson', pieces());
      rows = writer.files[0]?.rows ?? 0;
    });
    expect([rows, made]).to.deep.equal([PIECES * ROWS, PIECES * ROWS * ROW_BYTES]);
    expect(furthestAhead).to.be.below(MAX_AHEAD);
  });

  it('stops asking for pieces when the client leaves', async () => {
    let isStopped = false;
    async function* endless(): AsyncGenerator<Piece> {
      try {
        for (;;) yield { text: randomBytes(1000).toString('base64'), rows: 1 };
      } finally {
        isStopped = true;
      }
    }
    let writes = 0;
    const leaving = new Writable({
      write(_, __, done) {
        writes += 1;
        if (writes === 5) this.destroy();
        setImmediate(done);
      },
    });
    const sending = sendZip(leaving as ServerResponse, never, (writer) => writer.add('endless', endless()));
    expect(await sending.catch((error: Error) => error)).to.be.an('error');
    expect(isStopped).to.equal(true);
  });

  it('is never a whole ZIP when a piece fails', async () => {
    const chunks: Buffer[] = [];
    const client = new Writable({
      write(chunk: Buffer, _, done) {
        chunks.push(chunk);
        done();
      },
    });
    async function* failing(): AsyncGenerator<Piece> {
      yield { text: 'a row\n', rows: 1 };
      throw new Error('the store is away');
    }
    const sending = sendZip(client as ServerResponse, never, (writer) => writer.add('rows.ndjson', failing()));
    expect(await sending.catch((error: Error) => error.message)).to.equal('the store is away');
    expect(client.destroyed).to.equal(true);
    expect(await readZip(Buffer.concat(chunks)).catch((error: Error) => error)).to.be.an('error');
  });
});
