// stores: none
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { type Journal, type JournalOptions, openJournal } from '../../../src/clicks/journal.ts';
import { clock } from '../../../src/kernel/clock.ts';

describe('the click journal', () => {
  let folder: string;
  let warnings: string[];
  const journals: Journal[] = [];

  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), 'journal-')), 'clicks');
    warnings = [];
  });

  afterEach(async () => {
    clock.reset();
    for (const journal of journals.splice(0)) await journal.close();
    await rm(path.dirname(folder), { recursive: true });
  });

  async function open(options: Partial<JournalOptions> = {}): Promise<Journal> {
    const onWarning = (message: string) => warnings.push(message);
    const journal = await openJournal({ folder, maxBytes: 1e9, sync: false, onWarning, ...options });
    journals.push(journal);
    return journal;
  }

  for (const sync of [false, true]) {
    it(`keeps 10,000 lines appended at once, in their order${sync ? ', with fdatasync' : ''}`, async () => {
      const journal = await open({ sync });
      const lines = Array.from({ length: 10_000 }, (_, number) => `${number} ${'é'.repeat(number % 300)}`);
      const outcomes = await Promise.all(lines.map((line) => journal.append(line)));
      expect(new Set(outcomes)).to.deep.equal(new Set(['written']));
      expect(await sealedLines(journal)).to.deep.equal(lines);
    });

    it(`has a line in the file when it says so${sync ? ', with fdatasync' : ''}`, async () => {
      const journal = await open({ sync });
      const appends = Array.from({ length: 50 }, async (_, number) => {
        for (let turn = 0; turn < number; turn++) await new Promise(setImmediate);
        expect(await journal.append(`line ${number}`)).to.equal('written');
        expect(await contents()).to.include(`line ${number}\n`);
      });
      await Promise.all(appends);
    });
  }

  it('seals what was appended and goes on in another segment', async () => {
    const journal = await open();
    expect(await journal.seal(), 'nothing to seal').to.deep.equal([]);
    await journal.append('one');
    const [first = ''] = await journal.seal();
    await journal.append('two');
    expect(await journal.seal()).to.have.length(2);
    expect(await linesOf(journal, first)).to.deep.equal([['one']]);

    await journal.remove(first);
    await journal.remove(first);
    expect(await sealedLines(journal)).to.deep.equal(['two']);
    expect(await readdir(folder)).to.have.length(1);
    expect(journal.bytes()).to.equal(4);
  });

  it('seals while fdatasync is under way', async () => {
    const journal = await open({ sync: true });
    const first = journal.append('one');
    while (journal.bytes() === 0 || (await contents()) === '') await new Promise(setImmediate);
    expect(await journal.seal()).to.have.length(1);
    const second = journal.append('two');
    expect(await Promise.all([first, second])).to.deep.equal(['written', 'written']);
    expect(await sealedLines(journal)).to.deep.equal(['one', 'two']);
  });

  it('begins another segment after 16 MiB', async () => {
    const journal = await open();
    const line = 'x'.repeat(1024 * 1024);
    for (let megabyte = 0; megabyte < 18; megabyte++) await journal.append(line);
    expect(await journal.seal()).to.have.length(2);
    expect(await sealedLines(journal)).to.deep.equal(Array.from({ length: 18 }, () => line));
  });

  it('is read in chunks', async () => {
    const journal = await open();
    await Promise.all(Array.from({ length: 4100 }, (_, number) => journal.append(`${number}`)));
    const [segment = ''] = await journal.seal();
    expect((await linesOf(journal, segment)).map((chunk) => chunk.length)).to.deep.equal([2000, 2000, 100]);
    expect((await linesOf(journal, segment, 4100)).map((chunk) => chunk.length)).to.deep.equal([4100]);
  });

  describe('after a restart', () => {
    it('gives out what was left, oldest first, and goes on numbering', async () => {
      const before = await open();
      await before.append('one');
      await before.seal();
      await before.append('two');
      await before.close();

      const after = await open();
      expect(after.bytes()).to.equal(8);
      await after.append('three');
      expect(await sealedLines(after)).to.deep.equal(['one', 'two', 'three']);
      const names = await after.seal();
      expect(names).to.deep.equal([...names].sort());
      expect(new Set(names).size).to.equal(3);
    });

    it('leaves out a torn last line, says so, and never glues the next one to it', async () => {
      const before = await open();
      await before.append('whole');
      const [segment = ''] = await before.seal();
      await before.close();
      await appendFile(path.join(folder, segment), '{"torn": "ü');

      const after = await open();
      await after.append('next');
      expect(await sealedLines(after)).to.deep.equal(['whole', 'next']);
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.include(segment).and.to.include('12 bytes');
    });

    it('leaves other files alone and forgets empty segments', async () => {
      const before = await open();
      await before.close();
      await writeFile(path.join(folder, 'notes.txt'), 'mine');
      const after = await open();
      expect(await after.seal()).to.deep.equal([]);
      await after.append('one');
      expect(await sealedLines(after)).to.deep.equal(['one']);
      expect(await readdir(folder))
        .to.include('notes.txt')
        .and.to.have.length(2);
    });

    for (const mode of ['async', 'sync']) {
      it(`has every line that was acknowledged before kill -9 (${mode})`, async () => {
        let next = 0;
        const acknowledged: number[] = [];
        for (const enough of [2000, 500, 3000]) {
          const child = spawnChild('appendForever', [folder, mode, String(next)]);
          let said = '';
          child.stdout.setEncoding('utf8').on('data', (data: string) => {
            said += data;
            if (said.length > enough * 4) child.kill('SIGKILL');
          });
          const [, signal] = await once(child, 'close');
          expect(signal).to.equal('SIGKILL');
          acknowledged.push(...said.slice(0, said.lastIndexOf('\n')).split('\n').map(Number));
          // On a busy machine the child is many thousands ahead of what was heard.
          next = Math.max(...acknowledged) + 10_000_000;
        }
        const kept = (await sealedLines(await open())).map((line) => JSON.parse(line).number as number);
        expect(acknowledged.length).to.be.greaterThan(1000);
        expect(new Set(kept).size, 'no line twice').to.equal(kept.length);
        const held = new Set(kept);
        expect(acknowledged.filter((number) => !held.has(number))).to.deep.equal([]);
      });
    }
  });

  describe('at its bound', () => {
    it('drops, counts, and takes lines again when segments are removed', async () => {
      const journal = await open({ maxBytes: 1000 });
      const line = 'x'.repeat(99);
      for (let count = 0; count < 10; count++) expect(await journal.append(line)).to.equal('written');
      expect(await journal.append('')).to.equal('dropped');
      expect([journal.bytes(), journal.dropped()]).to.deep.equal([1000, 1]);

      for (const segment of await journal.seal()) await journal.remove(segment);
      expect(await journal.append(line)).to.equal('written');
      expect([journal.bytes(), journal.dropped()]).to.deep.equal([100, 1]);
    });

    it('counts lines that are only gathered, and segments of an earlier process', async () => {
      const before = await open({ maxBytes: 1000 });
      await before.append('x'.repeat(899));
      await before.close();
      const after = await open({ maxBytes: 1000 });
      const outcomes = await Promise.all([after.append('x'.repeat(99)), after.append('')]);
      expect(outcomes).to.deep.equal(['written', 'dropped']);
    });

    it('warns at a half and when dropping begins, each at most once a minute', async () => {
      let now = 1_000_000;
      clock.use({ now: () => now });
      const journal = await open({ maxBytes: 1000 });
      await journal.append('x'.repeat(499));
      expect(warnings).to.deep.equal([]);
      for (let count = 0; count < 5; count++) await journal.append('x'.repeat(99));
      expect(warnings).to.deep.equal(['The click journal is 60 % full']);
      for (let count = 0; count < 5; count++) await journal.append('x');
      expect(warnings).to.have.length(2);
      now += 59_999;
      await journal.append('x');
      expect(warnings).to.have.length(2);
      now += 1;
      await journal.append('x');
      expect(warnings).to.have.length(3);
    });
  });

  it('drops what a failing write holds, keeps what it acknowledged, and goes on', async () => {
    // 256 KiB: bash counts in KiB.
    const limited = spawnChild('appendToLimit', [folder], 'ulimit -f 256');
    const report = JSON.parse(await text(limited.stdout)) as {
      written: number[];
      total: number;
      dropped: number;
      warnings: string[];
    };
    expect(report.dropped).to.be.greaterThan(0);
    expect(report.written.length + report.dropped).to.equal(report.total);
    expect(Math.max(...report.written), 'later lines are written again').to.be.greaterThan(report.total - 300);
    expect(report.warnings).to.have.length(1);
    expect(report.warnings[0]).to.include('EFBIG');

    const journal = await open();
    const kept = new Set((await sealedLines(journal)).map((line) => JSON.parse(line).n as number));
    expect([...kept], 'what was dropped is not counted after all').to.deep.equal(report.written);
    expect(warnings, 'torn lines').to.deep.equal([]);
  });

  it('makes its folder again when it vanished', async () => {
    const journal = await open();
    await journal.append('lost with the folder');
    await journal.seal();
    await rm(folder, { recursive: true });
    expect(await journal.append('kept')).to.equal('written');
    expect(await contents()).to.equal('kept\n');
    expect(await sealedLines(journal)).to.deep.equal(['kept']);
    expect(warnings).to.have.length(1);
  });

  it('drops, and fails nowhere, while it cannot make a segment', async () => {
    const journal = await open();
    await journal.append('one');
    await journal.seal();
    await rm(folder, { recursive: true });
    await writeFile(folder, 'a file in its place');
    expect(await Promise.all([journal.append('two'), journal.append('three')])).to.deep.equal(['dropped', 'dropped']);
    expect(journal.dropped()).to.equal(2);
    await rm(folder);
    expect(await journal.append('four')).to.equal('written');
  });

  it('does not open where it cannot write', async () => {
    await writeFile(folder, 'a file in its place');
    const error = await open().catch((thrown: Error) => thrown);
    expect(error).to.be.an('error').with.property('message').that.includes(folder).and.includes('EEXIST');
    await rm(folder);
    if (process.getuid?.() === 0) return;
    await chmod(path.dirname(folder), 0o500);
    const refused = await open().catch((thrown: Error) => thrown);
    await chmod(path.dirname(folder), 0o700);
    expect(refused).to.be.an('error').with.property('message').that.includes('EACCES');
  });

  it('writes what is gathered when it closes, and drops afterwards', async () => {
    for (const sync of [false, true]) {
      const journal = await open({ sync });
      const appended = journal.append(`sync ${sync}`);
      await Promise.all([journal.close(), journal.close()]);
      expect(await appended).to.equal('written');
      expect(await contents()).to.include(`sync ${sync}\n`);
      expect(await journal.append('late')).to.equal('dropped');
    }
  });

  async function contents(): Promise<string> {
    const names = (await readdir(folder)).sort();
    return (await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))).join('');
  }
});

function spawnChild(program: string, args: string[], before = ':') {
  const extension = path.extname(import.meta.url);
  const file = path.join(import.meta.dirname, 'processes', `${program}${extension}`);
  const node = [process.execPath, ...(extension === '.ts' ? ['--import', 'tsx'] : []), file, ...args];
  return spawn('bash', ['-c', `${before}; exec "$@"`, 'bash', ...node], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function linesOf(journal: Journal, segment: string, linesPerChunk?: number): Promise<string[][]> {
  const chunks: string[][] = [];
  for await (const chunk of journal.read(segment, linesPerChunk)) chunks.push(chunk);
  return chunks;
}

async function sealedLines(journal: Journal): Promise<string[]> {
  const lines: string[] = [];
  for (const segment of await journal.seal()) {
    for await (const chunk of journal.read(segment)) lines.push(...chunk);
  }
  return lines;
}
