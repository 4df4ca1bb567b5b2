import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const root = path.resolve(import.meta.dirname, '../../..');
const source = path.join(root, 'sdk/webhooks');
const run = promisify(execFile);
const tsc = (...options: string[]) =>
  run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), ...options]);

/** A customer's: strict, looking into our declarations, without @types/node. */
const CONFIG = {
  compilerOptions: { strict: true, skipLibCheck: false, types: [], module: 'nodenext', lib: ['es2022', 'dom'] },
  files: ['program.mts'],
};

const PROGRAM = `
import { constructEvent, signatureHeader, testEvent, WebhookVerificationError } from 'svc-webhooks';
const rawBody = JSON.stringify(testEvent('link.created', { n: 1 }));
const header: string = signatureHeader({ rawBody, secret: 'whsec_a' });
const { data } = constructEvent<{ n: number }>(new TextEncoder().encode(rawBody), header, ['whsec_b', 'whsec_a']);
const n: number = data.n;
// @ts-expect-error a parsed body is no raw body
const parsed = () => constructEvent(JSON.parse(rawBody) as { id: string }, header, 'whsec_a');
try {
  parsed();
} catch (error) {
  if (error instanceof WebhookVerificationError) console.log(n, error.code);
}
`;

describe('the package svc-webhooks', function () {
  this.timeout(120_000);
  let home: string;
  let installed: string;
  before(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'svc-webhooks-'));
    installed = path.join(home, 'node_modules/svc-webhooks');
    await mkdir(installed, { recursive: true });
    await cp(path.join(source, 'package.json'), path.join(installed, 'package.json'));
    await tsc('-p', source, '--outDir', path.join(installed, 'dist'));
  });
  after(() => rm(home, { recursive: true, force: true }));

  it('is used from TypeScript and run without it, with no types and no packages beside it', async () => {
    await writeFile(path.join(home, 'program.mts'), PROGRAM);
    await writeFile(path.join(home, 'tsconfig.json'), JSON.stringify(CONFIG));
    await tsc('-p', home);
    const { stdout } = await run(process.execPath, [path.join(home, 'program.mjs')]);
    expect(stdout).to.equal('1 body_not_raw\n');
  });

  it('can be required', async () => {
    const program = 'console.log(Object.keys(require("svc-webhooks")).sort().join(" "))';
    const { stdout } = await run(process.execPath, ['-e', program], { cwd: home });
    expect(
      stdout
        .trim()
        .split(' ')
        .filter((name) => name !== '__esModule'),
    ).to.deep.equal(['WebhookVerificationError', 'constructEvent', 'signatureHeader', 'testEvent', 'verifySignature']);
  });

  it('imports node:crypto and nothing else', async () => {
    const imported = new Set<string | undefined>();
    for (const file of await readdir(path.join(installed, 'dist'))) {
      const code = await readFile(path.join(installed, 'dist', file), 'utf8');
      for (const [, name] of code.matchAll(/(?:from|import|require)\s*\(?\s*['"]([^'"]+)['"]/g)) imported.add(name);
    }
    expect([...imported].filter((name) => !name?.startsWith('./'))).to.deep.equal(['node:crypto']);
  });

  it('says that it depends on nothing, and what it is', async () => {
    const manifest = JSON.parse(await readFile(path.join(source, 'package.json'), 'utf8'));
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).to.deep.equal([]);
    expect(manifest).to.deep.include({ name: 'svc-webhooks', license: 'MIT', type: 'module' });
    const licence = await readFile(path.join(source, 'LICENSE'), 'utf8');
    expect(licence).to.equal(await readFile(path.join(root, 'LICENSE'), 'utf8'));
  });
});
