// stores: none
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { guardDataDir } from '../../../src/db/dataDir.ts';

describe('DATA_DIR', () => {
  let folder: string;
  const umask = process.umask();

  beforeEach(async () => {
    process.umask(0o022);
    folder = await mkdtemp(path.join(tmpdir(), 'svc-test-'));
  });
  afterEach(async () => {
    process.umask(umask);
    await rm(folder, { recursive: true, force: true });
  });

  const modeOf = async (...names: string[]) => ((await stat(path.join(folder, ...names))).mode & 0o777).toString(8);

  it('is made for this user alone, and so is what is written into it afterwards', async () => {
    const dataDir = path.join(folder, 'new', 'data');
    await guardDataDir(dataDir);
    await writeFile(path.join(dataDir, 'svc.sqlite'), '');
    expect([await modeOf('new', 'data'), await modeOf('new', 'data', 'svc.sqlite')]).to.deep.equal(['700', '600']);
  });

  it('that an earlier version left open is closed, with all that is the product’s in it', async () => {
    await chmod(folder, 0o755);
    await mkdir(path.join(folder, 'jobs', 'base'), { recursive: true });
    for (const name of ['svc.sqlite', 'svc.sqlite-wal', 'secret.key', 'jobs/base/1', 'of-the-operator.mmdb']) {
      await writeFile(path.join(folder, name), '');
      await chmod(path.join(folder, name), 0o666);
    }
    await guardDataDir(folder);
    expect(await modeOf()).to.equal('700');
    for (const name of ['svc.sqlite', 'svc.sqlite-wal', 'secret.key', 'jobs/base/1']) {
      expect(await modeOf(name), name).to.equal('600');
    }
    expect(await modeOf('jobs/base')).to.equal('700');
    expect(await modeOf('of-the-operator.mmdb'), 'no file of ours').to.equal('666');
  });

  it('may be a symbolic link; what links in it lead to is left alone', async () => {
    const [target, elsewhere] = [path.join(folder, 'target'), path.join(folder, 'elsewhere')];
    await mkdir(target);
    await writeFile(elsewhere, '');
    await symlink(target, path.join(folder, 'data'));
    await symlink(elsewhere, path.join(target, 'jobs'));
    await guardDataDir(path.join(folder, 'data'));
    expect([await modeOf('target'), await modeOf('elsewhere')]).to.deep.equal(['700', '644']);
  });

  it('that everybody shares keeps its rights', async () => {
    await chmod(folder, 0o1777);
    await guardDataDir(folder);
    expect((await stat(folder)).mode & 0o7777).to.equal(0o1777);
  });
});
