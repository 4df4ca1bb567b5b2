// stores: any
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { inRoot, ROOT } from '../../../support/root.ts';
import { SdkPackage } from '../../../support/sdkPackage.ts';

const source = path.join(ROOT, 'sdk/app');

const PROGRAM = `
import { init, SvcError, type SvcLink } from 'SVC-App';
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

describe('the package SVC-App', function () {
  this.timeout(120_000);
  let installed: SdkPackage;
  before(async () => {
    installed = await SdkPackage.install('app');
  });
  after(() => installed.remove());

  it('is used from TypeScript of every kind and run without it, with no types and no packages beside it', async () => {
    const printed = await installed.compileAndRun(PROGRAM);
    expect(Object.keys(printed)).to.have.length.above(3);
  });

  it('does in every program of its README what its types say', async () => {
    const readme = await readFile(path.join(source, 'README.md'), 'utf8');
    const programs = [...readme.matchAll(/```ts\n(?:\/\/ (\w+\.ts)\n)?(.*?)```/gs)];
    expect(programs).to.have.length(7);
    // Each way to start has a svc.ts; the other programs import that of React Native.
    const codeOf = (file: string) => programs.find(([, name]) => name === file)?.[2] ?? '';
    const shared = ['svc.ts', 'installDetails.ts'].map((file) => [file, codeOf(file)]);
    for (const [at, [, name = 'program.ts', code = '']] of programs.entries()) {
      const folder = path.join(installed.home, `readme${at}`);
      await mkdir(folder);
      const files = new Map([...(name === 'svc.ts' ? [] : shared), [name, code]] as [string, string][]);
      for (const [file, text] of files) await writeFile(path.join(folder, file), text);
    }
    await cp(inRoot('test/unit/sdk/app/hosts.d.ts.txt'), path.join(installed.home, 'hosts.d.ts'));
    const compilerOptions = {
      strict: true,
      skipLibCheck: false,
      types: [],
      lib: ['es2022', 'dom'],
      module: 'esnext',
      moduleResolution: 'bundler',
      noEmit: true,
    };
    await installed.tsc({ compilerOptions, include: ['hosts.d.ts', 'readme*/*.ts'] });
  });

  it('depends on nothing, says what it is, and can be published by nobody', async () => {
    const manifest = JSON.parse(await readFile(path.join(installed.installed, 'package.json'), 'utf8'));
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).to.deep.equal([]);
    expect(manifest).to.deep.include({ name: 'SVC-App', license: 'MIT', type: 'module', private: true });
    const licence = await readFile(path.join(installed.installed, 'LICENSE'), 'utf8');
    expect(licence).to.equal(await readFile(path.join(ROOT, 'LICENSE'), 'utf8'));
    const readme = await readFile(path.join(source, 'README.md'), 'utf8');
    expect(readme).to.include(`/downloads/${manifest.name}-${manifest.version}.tgz`);
  });
});
