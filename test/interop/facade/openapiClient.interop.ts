// stores: any
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import openapiTypes, { astToString } from 'openapi-typescript';
import { readDocument } from '../../support/clientDocument.ts';
import { inRoot, ROOT } from '../../support/root.ts';
import { joinWorld, type World } from '../../support/world.ts';

const run = promisify(execFile);
const PROGRAM = inRoot('test/interop/facade/clientProgram.ts.txt');

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2024',
    lib: ['ES2024', 'DOM'],
    module: 'NodeNext',
    types: ['node'],
    typeRoots: [inRoot('node_modules/@types')],
    strict: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['*.ts'],
};

describe('a client with types made from /openapi.json', () => {
  let world: World;
  let folder: string;

  before(async () => {
    world = await joinWorld();
    folder = await mkdtemp(path.join(tmpdir(), 'svc-client-'));
    const { document } = await readDocument(world);
    await Promise.all([
      writeFile(path.join(folder, 'api.ts'), astToString(await openapiTypes(document))),
      writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG)),
      writeFile(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' })),
      copyFile(PROGRAM, path.join(folder, 'program.ts')),
      symlink(inRoot('test/interop/node_modules'), path.join(folder, 'node_modules')),
    ]);
  });
  after(async () => {
    await world.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('compiles, and names and types that are wrong do not', async () => {
    const compiler = inRoot('node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch((error) => error);
    expect(stdout).to.equal('');
  });

  it('makes, lists, reads, changes and deletes links, webhooks and tags, and opens an app, with one base URL', async () => {
    const keys = { API_KEY: world.secretKey, APP_KEY: world.publishableKey };
    const env = { PATH: process.env.PATH, API_ORIGIN: world.origin, ...keys };
    const program = path.join(folder, 'program.ts');
    const { stdout, stderr } = await run(process.execPath, ['--import=tsx', program], { env, cwd: ROOT }).catch(
      (error) => error,
    );
    expect(stdout, stderr).to.equal('function\n');
  });
});
