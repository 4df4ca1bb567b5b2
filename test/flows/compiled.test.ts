// stores: any
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { OLDEST_NODE } from '../../src/kernel/nodeVersion.ts';
import { type Child, freePort, PROCESS_ENV, startChild } from '../support/child.ts';
import { inRoot } from '../support/root.ts';
import { makeStore, type Store } from '../support/stores.ts';

/** What a compiled installation consists of, besides its packages. docs/install.md and deploy/Dockerfile say the same. */
const SHIPPED = ['dist', 'docs', 'package.json', 'README.md', 'sdk/app/README.md', 'sdk/webhooks/README.md'];
/** Packages are links to those of the checkout, and are looked up where the links are. */
const LINKED = { NODE_PRESERVE_SYMLINKS: '1', NODE_PRESERVE_SYMLINKS_MAIN: '1' };

/** Places the packages that `npm install --omit=dev` would install. */
function placePackages(folder: string): void {
  const { packages } = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'));
  for (const [place, { dev }] of Object.entries<{ dev?: boolean }>(packages)) {
    // Packages below another one come with the link to that one. Those for other systems are not installed.
    const isTop = place.lastIndexOf('node_modules/') === 0;
    if (!isTop || dev || !existsSync(inRoot(place))) continue;
    mkdirSync(path.dirname(path.join(folder, place)), { recursive: true });
    symlinkSync(inRoot(place), path.join(folder, place));
  }
  mkdirSync(path.join(folder, 'node_modules/.bin'));
  symlinkSync(process.execPath, path.join(folder, 'node_modules/.bin/node'));
}

/** A Node of another version, from npm; null where npm has none for this machine or cannot be reached. */
function nodeOf(version: string): string | null {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = inRoot(`.cache/nodes/${version}`);
  const node = path.join(folder, 'node_modules', name, 'bin/node');
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true });
    spawnSync('npm', ['install', '--silent', '--no-save', '--prefix', folder, `${name}@${version}`], { cwd: folder });
  }
  return existsSync(node) ? node : null;
}

describe('A compiled installation, without sources and without development packages', () => {
  let folder: string;
  let store: Store;
  let child: Child;
  let port: number;

  before(async function () {
    this.timeout(180_000);
    folder = await mkdtemp(path.join(tmpdir(), 'svc-compiled-'));
    for (const place of SHIPPED) cpSync(inRoot(place), path.join(folder, place), { recursive: true });
    placePackages(folder);
    store = await makeStore({ isBare: true });
    const main = path.join(folder, 'dist/src/main.js');
    port = await freePort();
    child = await startChild(port, { ...store.env, ...LINKED }, { args: [main] });
  });
  after(async () => {
    await child?.kill();
    await store?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it('is ready', async () => {
    expect((await fetch(`${child.origin}/readyz`)).status).to.equal(200);
    expect(existsSync(path.join(folder, 'node_modules/typescript'))).to.equal(false);
  });

  it('serves what is read from files: dashboard, reference with its guides, downloads', async () => {
    for (const place of ['/app', '/reference', '/llms.txt', '/api/v1/openapi.json', '/downloads/SVC-App-0.1.0.tgz'])
      expect((await fetch(`${child.origin}${place}`)).status, place).to.equal(200);
    expect(await (await fetch(`${child.origin}/llms.txt`)).text()).to.contain('operate');
  });

  it('makes links and follows them', async () => {
    const made = await fetch(`${child.origin}/api/v1/links`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${child.secretKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ destination: 'https://example.com/compiled', slug: 'compiled' }),
    });
    expect(made.status).to.equal(201);
    const followed = await fetch(`${child.origin}/compiled`, { redirect: 'manual' });
    expect([followed.status, followed.headers.get('location')]).to.deep.equal([302, 'https://example.com/compiled']);
  });

  it('says in one sentence which Node it needs, when it is run by one of version 20', async function () {
    const node = nodeOf('20.20.2');
    if (!node) this.skip();
    for (const program of ['dist/src/main.js', 'dist/scripts/admin.js']) {
      const { status, stdout, stderr } = spawnSync(node, [path.join(folder, program)], {
        env: { ...PROCESS_ENV, ...LINKED, DATA_DIR: path.join(folder, 'never') },
        encoding: 'utf8',
      });
      expect([status, stdout]).to.deep.equal([1, '']);
      expect(stderr).to.match(
        /^svc needs Node 22\.12\.0 or newer, and this is Node 20\.20\.2; run it with [^\n]*\/node [^\n]*\n$/,
      );
      expect(stderr).to.contain(path.join(folder, program));
    }
    expect(existsSync(path.join(folder, 'never'))).to.equal(false);
  }).timeout(120_000);

  it('has the admin commands', async () => {
    expect(await child.terminate()).to.equal(0);
    const admin = path.join(folder, 'dist/scripts/admin.js');
    const env = { ...PROCESS_ENV, ...LINKED, ...store.env };
    const { stdout } = await promisify(execFile)(process.execPath, [admin, 'list-teams'], { env });
    expect(stdout).to.match(/team_\w+/);
  }).timeout(120_000);

  it('runs on the oldest Node that package.json admits', async function () {
    const { engines } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
    expect(`${engines.node}.0`).to.equal(`>=${OLDEST_NODE}`);
    const node = nodeOf(OLDEST_NODE);
    if (!node) this.skip();
    const main = path.join(folder, 'dist/src/main.js');
    child = await startChild(port, { ...store.env, ...LINKED }, { args: [main], node });
    const followed = await fetch(`${child.origin}/compiled`, { redirect: 'manual' });
    expect([followed.status, followed.headers.get('location')]).to.deep.equal([302, 'https://example.com/compiled']);
    for (const place of ['/app', '/reference', '/llms.txt', '/api/v1/openapi.json'])
      expect((await fetch(`${child.origin}${place}`)).status, place).to.equal(200);
    expect(await child.terminate()).to.equal(0);
  }).timeout(180_000);
});
