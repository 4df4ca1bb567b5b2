// stores: none
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { copyJobStore, PARTS } from '../../../jobs/emptyJobStore.ts';

describe('the copy of an empty job store', () => {
  let folder: string;
  let empty: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-empty-jobs-'));
    empty = path.join(folder, 'empty');
    await mkdir(path.join(empty, PARTS.data, 'base/1'), { recursive: true });
    await writeFile(path.join(empty, PARTS.data, 'base/1/2'), 'rows');
    await writeFile(path.join(empty, PARTS.data, 'PG_VERSION'), '17', { mode: 0o644 });
    // Packages of npm have no empty folders.
    await writeFile(path.join(empty, PARTS.emptyFolders), 'pg_notify\npg_logical/mappings\n');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is whole, closed to others, and under its own name alone', async () => {
    const to = path.join(folder, 'jobs');
    copyJobStore(empty, to);
    expect(await readFile(path.join(to, 'base/1/2'), 'utf8')).to.equal('rows');
    expect((await stat(to)).mode & 0o777).to.equal(0o700);
    // As the installer of a package leaves it, everybody may read it.
    expect((await stat(path.join(to, 'PG_VERSION'))).mode & 0o777).to.equal(0o600);
    expect((await stat(path.join(to, 'base'))).mode & 0o777).to.equal(0o700);
    expect(await readdir(folder)).to.have.members(['empty', 'jobs']);
  });

  it('begins anew where a process was killed in the middle of one, and takes nothing of that', async () => {
    const to = path.join(folder, 'jobs');
    await mkdir(`${to}.new/base`, { recursive: true });
    await writeFile(`${to}.new/base/half`, 'ro');
    copyJobStore(empty, to);
    expect((await readdir(to, { recursive: true })).sort()).to.deep.equal([
      'PG_VERSION',
      ...['base', 'base/1', 'base/1/2'],
      ...['pg_logical', 'pg_logical/mappings', 'pg_notify'],
    ]);
    expect(existsSync(`${to}.new`)).to.equal(false);
  });

  it('leaves nothing under the name of the store where it fails', () => {
    const to = path.join(folder, 'jobs');
    expect(() => copyJobStore(path.join(folder, 'missing'), to)).to.throw(/ENOENT/);
    expect(existsSync(to)).to.equal(false);
  });
});
