// stores: any
import { existsSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Reply } from '../../support/api.ts';
import { mountSmallDisk, type SmallDisk } from '../../support/smallDisk.ts';
import { until } from '../../support/until.ts';
import { useOwnWorld } from '../../support/world.ts';

const HEADER = 'destination\n';
const ROWS = 900;

function csvOf(rows: number): string {
  return HEADER + Array.from({ length: rows }, (_, at) => `https://example.com/${at}\n`).join('');
}

describe('an import whose file cannot be kept', () => {
  const world = useOwnWorld();
  let disk: SmallDisk | null = null;

  const send = (csv: string, key?: string) =>
    world.api('POST', '/imports', undefined, {
      raw: csv,
      headers: { 'Content-Type': 'text/csv', ...(key && { 'Idempotency-Key': key }) },
    });
  const expectRefused = ({ status, headers, body }: Reply) => {
    expect([status, body.error?.code]).to.deep.equal([503, 'unavailable']);
    expect(Number(headers.get('Retry-After'))).to.be.greaterThan(0);
  };
  const uploads = () => path.join(world.dataDir, 'uploads');
  const kept = () => (existsSync(uploads()) ? readdirSync(uploads()).filter((name) => name !== 'filling') : []);
  const expectWhole = async ({ status, body }: Reply) => {
    expect([status, body.counts?.rows]).to.deep.equal([202, ROWS]);
    await until(async () => {
      const { body: now } = await world.api('GET', `/imports/${body.id}`);
      return now.status === 'finished' && now.counts.created + now.counts.skipped === ROWS;
    }, 'every row');
  };
  afterEach(async () => {
    await disk?.remove();
    disk = null;
  });

  it('because the system writes less than it is asked to: nothing of it is cut off', async () => {
    const handle = await open(path.join(world.dataDir, 'in-use.lock'));
    type Write = (bytes: Buffer, offset: number, length: number) => Promise<unknown>;
    const prototype = Object.getPrototypeOf(handle) as { write: Write };
    await handle.close();
    const { write } = prototype;
    prototype.write = function (bytes) {
      return write.call(this, bytes, 0, Math.ceil(bytes.length / 2));
    };
    try {
      await expectWhole(await send(csvOf(ROWS)));
    } finally {
      prototype.write = write;
    }
  });

  it('because the disk fills meanwhile: 503, nothing of it is kept, and a repeat is whole', async function () {
    disk = await mountSmallDisk(uploads(), 1);
    if (!disk) this.skip();
    disk.fill(16_384);
    expectRefused(await send(csvOf(ROWS), 'one import'));
    expect(kept()).to.deep.equal([]);
    // Much more than a socket holds: it is read to its end, so that the client gets the answer.
    expectRefused(await send(csvOf(200_000)));
    expect((await world.api('GET', '/imports')).body.data.length, 'imports of before').to.equal(1);
    await disk.makeRoom();
    await expectWhole(await send(csvOf(ROWS), 'one import'));
  });

  it('because the disk is read-only: 503, and the next one is taken', async function () {
    disk = await mountSmallDisk(uploads(), 1);
    if (!disk) this.skip();
    await disk.setReadOnly(true);
    expectRefused(await send(csvOf(ROWS), 'another import'));
    await disk.setReadOnly(false);
    await expectWhole(await send(csvOf(ROWS), 'another import'));
  });
});
