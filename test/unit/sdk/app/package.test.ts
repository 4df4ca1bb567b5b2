import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const root = path.resolve(import.meta.dirname, '../../../..');
const source = path.join(root, 'sdk/app');
const run = promisify(execFile);
const tsc = (...options: string[]) =>
  run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), ...options]).catch(({ stdout }) => {
    throw new Error(stdout);
  });

/** A customer's: strict, looking into our declarations, without the types of any host. */
const BARE = { strict: true, skipLibCheck: false, noEmit: false, types: [], lib: ['es2022'] };

const PROGRAM = `
import { init, SvcError, type SvcLink } from 'svc-app';
const client = init({ url: 'https://svc.example.com', key: 'pk_live_a', platform: 'ios' });
client.onLink(({ shortUrl, data }: SvcLink, { match }) => {
  const clickedAt: string | null = match.clickedAt;
  const value: unknown = data.any_thing;
  // @ts-expect-error an answer has no such field
  return [shortUrl, clickedAt, value, match.clicked_at];
});
// @ts-expect-error there is no such platform
const wrong = () => init({ url: '', key: '', platform: 'windows' });
export const error: SvcError = new SvcError('timeout', '');
client.close();
`;

describe('the package svc-app', function () {
  this.timeout(120_000);
  let home: string;
  before(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'svc-app-'));
    const installed = path.join(home, 'node_modules/svc-app');
    await mkdir(installed, { recursive: true });
    await cp(path.join(source, 'package.json'), path.join(installed, 'package.json'));
    await tsc('-p', source, '--outDir', path.join(installed, 'dist'));
  });
  after(() => rm(home, { recursive: true, force: true }));

  it('is used from TypeScript and run without it, with no types and no packages beside it', async () => {
    const config = { compilerOptions: { ...BARE, module: 'nodenext' }, files: ['program.mts'] };
    await writeFile(path.join(home, 'program.mts'), PROGRAM);
    await writeFile(path.join(home, 'tsconfig.json'), JSON.stringify(config));
    await tsc('-p', home);
    await run(process.execPath, [path.join(home, 'program.mjs')]);
  });

  it('can be required', async () => {
    const program = 'console.log(typeof require("svc-app").init)';
    const { stdout } = await run(process.execPath, ['-e', program], { cwd: home });
    expect(stdout).to.equal('function\n');
  });

  it('does in every program of its README what its types say', async () => {
    const readme = await readFile(path.join(source, 'README.md'), 'utf8');
    const programs = [...readme.matchAll(/```ts\n(?:\/\/ (\w+\.ts)\n)?(.*?)```/gs)];
    expect(programs).to.have.length(7);
    // Each way to start has a svc.ts; the other programs import that of React Native.
    const codeOf = (file: string) => programs.find(([, name]) => name === file)?.[2] ?? '';
    const shared = ['svc.ts', 'installDetails.ts'].map((file) => [file, codeOf(file)]);
    for (const [at, [, name = 'program.ts', code = '']] of programs.entries()) {
      const folder = path.join(home, `readme${at}`);
      await mkdir(folder);
      const files = new Map([...(name === 'svc.ts' ? [] : shared), [name, code]] as [string, string][]);
      for (const [file, text] of files) await writeFile(path.join(folder, file), text);
    }
    await cp(path.join(import.meta.dirname, 'hosts.d.ts.txt'), path.join(home, 'hosts.d.ts'));
    const compilerOptions = {
      ...BARE,
      lib: ['es2022', 'dom'],
      module: 'esnext',
      moduleResolution: 'bundler',
      noEmit: true,
    };
    const config = { compilerOptions, include: ['hosts.d.ts', 'readme*/*.ts'] };
    await writeFile(path.join(home, 'tsconfig.readme.json'), JSON.stringify(config));
    await tsc('-p', path.join(home, 'tsconfig.readme.json'));
  });

  it('says that it depends on nothing, and what it is', async () => {
    const manifest = JSON.parse(await readFile(path.join(source, 'package.json'), 'utf8'));
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).to.deep.equal([]);
    expect(manifest).to.deep.include({ name: 'svc-app', license: 'MIT', type: 'module' });
    const licence = await readFile(path.join(source, 'LICENSE'), 'utf8');
    expect(licence).to.equal(await readFile(path.join(root, 'LICENSE'), 'utf8'));
  });
});
