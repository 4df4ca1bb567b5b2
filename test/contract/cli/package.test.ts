// stores: none

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { extract } from 'tar';
import { useShell } from '../../support/cli.ts';

/** The largest main file: it is read at each start. */
const LARGEST_BYTES = 400_000;

describe('the package SVC-CLI', () => {
  const shell = useShell();
  const { version } = JSON.parse(readFileSync('cli/package.json', 'utf8'));

  it('runs where it is unpacked, without anything else', async () => {
    const cwd = path.join(shell.home, 'unpacked');
    mkdirSync(cwd);
    await extract({ file: `dist/downloads/SVC-CLI-${version}.tgz`, cwd });
    const { bin, dependencies, scripts } = JSON.parse(readFileSync(path.join(cwd, 'package/package.json'), 'utf8'));
    expect([dependencies, scripts]).to.deep.equal([undefined, undefined]);
    const program = path.join(cwd, 'package', bin.svc);
    expect(statSync(program).mode & 0o100, 'can be executed').to.not.equal(0);
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [program, ...args], { env: shell.env, encoding: 'utf8' });
    expect(run('--version').stdout).to.equal(`${version}\n`);
    expect(run('version', '--jq', '.svc').stdout).to.equal(`${version}\n`);
    expect(statSync(path.join(cwd, 'package/dist/main.cjs')).size).to.be.at.most(LARGEST_BYTES);
  });

  it('has the version of the product', () => {
    expect(version).to.equal(JSON.parse(readFileSync('package.json', 'utf8')).version);
  });
});
