// stores: none
import { execFile } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { create } from 'tar';
import { inRoot, ROOT } from '../../support/root.ts';
import { SdkPackage } from '../../support/sdkPackage.ts';

const run = promisify(execFile);

describe('the package SVC-Client', function () {
  this.timeout(600_000);
  let installed: SdkPackage;
  before(async () => {
    installed = await SdkPackage.install('client');
  });
  after(() => installed.remove());

  it('passes publint and attw', async () => {
    const bin = (name: string) => inRoot('test/interop/node_modules/.bin', name);
    await run(bin('publint'), ['--strict', installed.installed], { cwd: ROOT });
    await run(bin('attw'), [await lowercased(installed), '--no-definitely-typed'], { cwd: ROOT, maxBuffer: 1e7 });
  });
});

/** The same package under a name without capitals: attw takes paths in lower case, and then finds no nested package.json. */
async function lowercased({ home, installed }: SdkPackage): Promise<string> {
  const copy = path.join(home, 'lowercased');
  await cp(installed, path.join(copy, 'package'), { recursive: true });
  const manifest = path.join(copy, 'package/package.json');
  await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('"SVC-Client"', '"svc-client"'));
  const file = path.join(copy, 'package.tgz');
  await create({ file, cwd: copy, gzip: true }, ['package']);
  return file;
}
