// stores: none

import { chmod, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { replaceFile } from '../../../cli/replaceFile.ts';

describe('a file that the command line writes', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-replace-'));
    file = path.join(folder, 'config.json');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const rightsOf = async (name: string) => (await stat(name)).mode & 0o777;

  it('is as it was before when not all of it could be written, and nothing is left over', async () => {
    async function* broken() {
      yield Buffer.from('half');
      throw new Error('no space left');
    }
    const failed = () => replaceFile(file, broken()).catch((error: Error) => error.message);
    expect(await failed()).to.equal('no space left');
    expect(await readdir(folder)).to.deep.equal([]);
    await writeFile(file, 'theirs');
    expect(await failed()).to.equal('no space left');
    expect(await readdir(folder)).to.deep.equal(['config.json']);
    expect(await readFile(file, 'utf8')).to.equal('theirs');
  });

  it('keeps its rights, and has those that were asked for when it is new', async () => {
    await replaceFile(file, 'new', 0o600);
    expect(await rightsOf(file)).to.equal(0o600);
    await chmod(file, 0o664);
    await replaceFile(file, 'newer', 0o600);
    expect([await rightsOf(file), await readFile(file, 'utf8')]).to.deep.equal([0o664, 'newer']);
  });

  it('stays behind a symbolic link', async () => {
    const link = path.join(folder, 'link');
    await writeFile(file, 'old');
    await symlink(file, link);
    await replaceFile(link, 'new');
    expect([await readlink(link), await readFile(file, 'utf8')]).to.deep.equal([file, 'new']);
  });

  it('is written in place when it is not a regular file', async () => {
    await replaceFile('/dev/null', 'gone');
    expect((await stat('/dev/null')).isCharacterDevice()).to.equal(true);
  });
});
