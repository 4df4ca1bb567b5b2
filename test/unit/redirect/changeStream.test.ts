// stores: none
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { ChangeStream } from '../../../src/redirect/ChangeStream.ts';
import { mountSmallDisk } from '../../support/smallDisk.ts';
import { until } from '../../support/until.ts';

const MEGABYTE = 1024 * 1024;

describe('the stream of changes of links', () => {
  let folder: string;
  let warnings: string[];

  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), 'svc-test-')), 'links');
    warnings = [];
  });
  afterEach(() => rm(path.dirname(folder), { recursive: true, force: true }));

  const open = (options: { maxBytes?: number; folder?: string } = {}) =>
    new ChangeStream({
      folder,
      generation: 7,
      maxBytes: MEGABYTE,
      onWarning: (text) => warnings.push(text),
      ...options,
    });
  const linesIn = (text: string): object[] =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
      .slice(1);
  const fileOf = (generation: number, where = folder) => path.join(where, `changes-${generation}`);
  const linesOf = async (generation: number, where = folder): Promise<object[]> =>
    linesIn(await readFile(fileOf(generation, where), 'utf8'));

  it('has a line on disk at once, and writes many together', async () => {
    const stream = open();
    stream.append({ changed: 'go.example.com/a' });
    await until(async () => (await linesOf(7).catch(() => [])).length === 1, 'the first line', 1000);
    const startedAt = performance.now();
    for (let at = 0; at < 10_000; at += 1) stream.append({ changed: `go.example.com/${at}` });
    // Nothing of it was written by whoever appended.
    expect(linesIn(readFileSync(fileOf(7), 'utf8'))).to.have.length(1);
    await stream.flush();
    expect(await linesOf(7)).to.have.length(10_001);
    expect(performance.now() - startedAt).to.be.lessThan(5000);
    await stream.close();
  });

  it('begins another file with a snapshot, and deletes the former one only when that has its name', async () => {
    const stream = open();
    expect(await stream.beginSnapshot()).to.equal(7);
    stream.append({ changed: 'go.example.com/before' });
    // Not written yet.
    expect(await stream.beginSnapshot()).to.equal(8);
    stream.append({ changed: 'go.example.com/after' });
    await stream.flush();
    expect(await linesOf(7)).to.deep.equal([{ changed: 'go.example.com/before' }]);
    expect(await linesOf(8)).to.deep.equal([{ changed: 'go.example.com/after' }]);
    // That snapshot failed: both stay until the next one.
    expect(await stream.beginSnapshot()).to.equal(9);
    expect(await stream.beginSnapshot()).to.equal(9);
    expect(stream.bytes).to.be.greaterThan(0);
    await stream.dropBefore(9);
    expect(await readdir(folder)).to.deep.equal([]);
    expect(stream.bytes).to.equal(0);
    stream.append({ changed: 'go.example.com/later' });
    await stream.close();
    expect(await readdir(folder)).to.deep.equal(['changes-9']);
  });

  it('writes what a full disk has refused when there is room, and says so once', async function () {
    this.timeout(20_000);
    const disk = await mountSmallDisk(folder, 1);
    if (!disk) this.skip();
    try {
      const stream = open();
      stream.append({ changed: 'go.example.com/first' });
      await stream.flush();
      disk.fill();
      for (let at = 0; at < 1000; at += 1) stream.append({ changed: `go.example.com/${at}` });
      await until(async () => warnings.length > 0, 'a warning');
      stream.append({ changed: 'go.example.com/last' });
      await disk.makeRoom();
      await stream.close();
      const text = await readFile(path.join(folder, 'changes-7'), 'utf8');
      const whole = text.split('\n').filter((line) => line.endsWith('}'));
      for (const slug of ['first', '0', '999', 'last'])
        expect(whole).to.include(JSON.stringify({ changed: `go.example.com/${slug}` }));
      expect(warnings).to.have.length(1);
    } finally {
      await disk?.remove();
    }
  });

  it('gives up a snapshot whose changes have no room, and begins anew with the next one', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'snapshot'), 'a snapshot');
    const stream = open({ maxBytes: 10_000 });
    stream.append({ changed: 'go.example.com/first' });
    await stream.flush();
    for (let at = 0; at < 1000; at += 1) stream.append({ changed: `go.example.com/${at}` });
    expect(stream.isGivenUp).to.equal(true);
    await until(async () => (await readdir(folder)).length === 0, 'snapshot and changes to be gone', 2000);
    expect(warnings).to.have.length(1);
    expect(await stream.beginSnapshot()).to.equal(8);
    expect(stream.isGivenUp).to.equal(false);
    stream.append({ changed: 'go.example.com/later' });
    await stream.close();
    expect(await readdir(folder)).to.deep.equal(['changes-8']);
  });
});
