// stores: none
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { readForm } from '../../../src/redirect/askPassword.ts';

describe('readForm', () => {
  const read = (write: (body: PassThrough) => void, patienceMs?: number) => {
    const body = new PassThrough();
    const form = readForm(body as unknown as IncomingMessage, patienceMs);
    write(body);
    return form;
  };

  it('returns the fields, whatever the chunks', async () => {
    const form = await read((body) => {
      const bytes = Buffer.from('a=1&password=%C3%BC+x%26ü');
      for (const byte of bytes) body.write(Buffer.from([byte]));
      body.end();
    });
    expect((form as URLSearchParams).get('password')).to.equal('ü x&ü');
  });

  it('is empty without a body', async () => {
    expect([...((await read((body) => body.end())) as URLSearchParams)]).to.deep.equal([]);
  });

  it('accepts 4 KiB, and reads a larger body to its end', async () => {
    const sized = (bytes: number) => read((body) => body.end(Buffer.alloc(bytes, 'x')));
    expect(await sized(4096)).to.be.instanceOf(URLSearchParams);
    expect(await sized(4097)).to.equal('too_large');
    const piecewise = read((body) => {
      for (let at = 0; at < 1000; at += 1) body.write(Buffer.alloc(1024));
      body.end();
    });
    expect(await piecewise).to.equal('too_large');
  });

  it('times out', async () => {
    expect(await read((body) => body.write('password='), 1)).to.equal('too_slow');
    expect(await read((body) => body.write(Buffer.alloc(5000)), 1)).to.equal('too_large');
  });

  it('notices that the client has disconnected', async () => {
    expect(await read((body) => body.destroy())).to.equal('gone');
    expect(await read((body) => body.destroy(new Error('reset')))).to.equal('gone');
  });
});
