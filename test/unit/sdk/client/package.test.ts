// stores: any
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { build } from 'esbuild';
import { VERSION } from '../../../../sdk/client/index.ts';
import { inRoot, ROOT } from '../../../support/root.ts';
import { SdkPackage } from '../../../support/sdkPackage.ts';

const run = promisify(execFile);

const MAX_BYTES = 8 * 1024;
const MAX_PRINTED_LINES = 6000;
const PRINTED = ['operations', 'operationTable', 'types'];

/** The oldest that the package is for, where this machine has one. */
const OLD_NODES = ['/usr/bin/node', '/usr/local/bin/node'];

/** What customers write; a line below @ts-expect-error that compiles is an error too. */
const PROGRAM = `
import { Svc, SvcError, type CreateLink, type Link, type Page, type LinkPage } from 'SVC-Client';
import { constructEvent } from 'SVC-Client/webhooks';
const fetch = async () => new Response('{"id":"lnk_1","data":[],"next_cursor":null}');
const svc = new Svc({ url: 'https://svc.example.com', key: 'sk_live_a', fetch });
async function typed(): Promise<void> {
  const wanted: CreateLink = { destination: 'https://example.com' };
  const link: Link = await svc.links.create(wanted, { idempotencyKey: 'a', dryRun: true });
  const source: string | null | undefined = link.utm?.source;
  const page: Page<LinkPage> = await svc.links.list({ status: 'active', limit: 1 });
  for await (const { short_url } of svc.links.list()) short_url.length;
  for await (const event of svc.events.stream({ types: ['link.created', 'type.of.tomorrow'] })) {
    if (event.type === 'link.created') event.data.link.slug.length;
  }
  const bytes: Uint8Array = (await svc.links.qr('lnk_1', { format: 'png' })).bytes;
  const text: string = await svc.links.export().text();
  const status: 'pending' | 'running' | 'finished' | 'failed' | 'cancelled' =
    (await (await svc.imports.start('destination', undefined, { dryRun: true })).finished()).status;
  const answer = await svc.request('getTeam');
  // @ts-expect-error a link has a destination
  await svc.links.create({ title: 'A' });
  // @ts-expect-error there is no such field
  link.shortUrl;
  // @ts-expect-error there is no such status
  await svc.links.list({ status: 'gone' });
  // @ts-expect-error a test is really sent
  await svc.webhooks.test('whk_1', { type: 'link.created' }, { dryRun: true });
  // @ts-expect-error PATCH has no idempotency key
  await svc.links.update('lnk_1', { title: 'A' }, { idempotencyKey: 'a' });
  // @ts-expect-error there is no such operation
  await svc.request('getNothing');
  console.log(source, page, bytes, text, status, answer.text);
}
const caught = (error: unknown) => error instanceof SvcError && error.code === 'slug_taken';
svc.links.get('lnk_1').then((link) => console.log(link.id, typeof constructEvent, typeof typed, caught(null)));
`;

describe('the package SVC-Client', function () {
  this.timeout(600_000);
  let installed: SdkPackage;
  before(async () => {
    installed = await SdkPackage.install('client');
  });
  after(() => installed.remove());

  it('is used from TypeScript of every kind, and run alone', async () => {
    const printed = await installed.compileAndRun(PROGRAM);
    expect(Object.keys(printed)).to.have.length.above(2);
    for (const [project, text] of Object.entries(printed))
      expect(text, project).to.equal('lnk_1 function function false\n');
  });

  it('runs on the oldest Node that it is for', async function () {
    const old = OLD_NODES.find((file) => existsSync(file));
    if (!old) return this.skip();
    for (const file of ['program.mjs', 'program.cjs']) {
      const { stdout } = await run(old, [path.join(installed.home, file)]);
      expect(stdout, file).to.equal('lnk_1 function function false\n');
    }
  });

  it('has nothing of Node but in the part for webhooks', async () => {
    const files = (await readdir(path.join(installed.installed, 'dist'), { recursive: true })).filter((name) =>
      name.endsWith('.js'),
    );
    expect(files).to.have.length.above(40);
    for (const file of files) {
      const code = await readFile(path.join(installed.installed, 'dist', file), 'utf8');
      const imported = [...code.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
        ([, name]) => name,
      );
      const foreign = imported.filter((name) => !name?.startsWith('./'));
      expect(
        foreign.filter((name) => name !== 'node:crypto' || !file.includes('webhooks')),
        file,
      ).to.deep.equal([]);
    }
  });

  it('depends on nothing, says what it is, and can be published by nobody', async () => {
    const manifest = JSON.parse(await readFile(path.join(installed.installed, 'package.json'), 'utf8'));
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).to.deep.equal([]);
    expect(manifest).to.deep.include({
      name: 'SVC-Client',
      license: 'MIT',
      type: 'module',
      private: true,
      version: VERSION,
    });
    const licence = await readFile(path.join(installed.installed, 'LICENSE'), 'utf8');
    expect(licence).to.equal(await readFile(path.join(ROOT, 'LICENSE'), 'utf8'));
    const readme = await readFile(path.join(installed.installed, 'README.md'), 'utf8');
    expect(readme).to.include(`/downloads/${manifest.name}-${manifest.version}.tgz`);
  });

  it(`is less than 8 KB compressed beside what is printed, and that has less than ${MAX_PRINTED_LINES} lines`, async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: "export * from './index.ts'; export * from './Resource.ts';",
        resolveDir: inRoot('sdk/client'),
        loader: 'ts',
      },
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      external: PRINTED.map((name) => `./${name}.ts`),
      write: false,
    });
    expect(gzipSync(String(outputFiles[0]?.text)).length).to.be.within(1000, MAX_BYTES);
    const printed = await Promise.all(PRINTED.map((name) => readFile(inRoot(`sdk/client/${name}.ts`), 'utf8')));
    expect(printed.join('').split('\n').length).to.be.below(MAX_PRINTED_LINES);
  });

  it('is compiled and used as its README says', async () => {
    const readme = await readFile(path.join(installed.installed, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code as string);
    const names = blocks.map((code, at) => /^\/\/ (\w+\.ts)\n/.exec(code)?.[1] ?? `example${at}.ts`);
    expect(names).to.include('svc.ts').and.have.length.above(6);
    for (const [at, name] of names.entries()) await writeFile(path.join(installed.home, name), blocks[at] as string);
    const compilerOptions = {
      strict: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [inRoot('node_modules/@types')],
      module: 'esnext',
      target: 'es2022',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      noEmit: true,
    };
    await installed.tsc({ compilerOptions, files: names });
  });
});
