// plays, stores: any
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { OLDEST_NODE } from '../../src/kernel/nodeVersion.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { nodeOf } from '../support/nodes.ts';
import { Release } from '../support/release.ts';
import { inRoot } from '../support/root.ts';
import { makeStore, type Store } from '../support/stores.ts';

/** The first makes what the others find; the last one is too old, and gets another from npm, which stays. */
const NODES = ['24.21.0', OLDEST_NODE, '26.10.0', '20.20.2'];
const TOO_OLD = ['18.20.8', '20.20.2'];
const PAGES = ['/app', '/reference', '/llms.txt', '/api/v1/openapi.json', '/downloads/SVC-App-0.1.0.tgz'];

describe('A release, installed and started as docs/install.md says', () => {
  let release: Release;
  let elsewhere: string;
  let store: Store;
  let child: Child | undefined;
  let port: number;

  before(async function () {
    // The packages are installed once.
    this.timeout(600_000);
    release = Release.make();
    elsewhere = await mkdtemp(path.join(tmpdir(), 'svc-release-'));
    store = await makeStore({ isBare: true });
    port = await freePort();
  });
  after(async () => {
    await child?.kill();
    await store?.remove();
    if (elsewhere) await rm(elsewhere, { recursive: true, force: true });
    release?.takeNodeAway();
  });

  /** Starts it as the unit of systemd does, in a folder that is not its own. */
  const start = async (node: string) => {
    const unit = readFileSync(release.inPackage('deploy/systemd/svc.service'), 'utf8');
    const [, env = '', command] = /^ExecStart=(\S+) (\S+)$/m.exec(unit) ?? [];
    expect(command).to.equal(release.start);
    expect(unit).to.contain('PATH=/opt/svc/bin:');
    child = await startChild(
      port,
      { ...store.env, ...(release.env(node) as Record<string, string>) },
      {
        args: [release.start],
        node: env,
        cwd: elsewhere,
      },
    );
    return child;
  };
  const call = (node: string, args: string[], more: Record<string, string> = {}) =>
    spawnSync(release.start, args, { env: { ...release.env(node), ...more }, cwd: elsewhere, encoding: 'utf8' });

  it('has no sources, no development packages and the versions of the lock file', () => {
    for (const place of ['app', 'src', 'node_modules/typescript', 'node_modules/mocha', 'dist/app/main.js.map'])
      expect(existsSync(release.inPackage(place)), place).to.equal(false);
    const { packages } = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'));
    for (const name of ['sqlite3', 'pg', 'pino', '@electric-sql/pglite', '@node-rs/argon2']) {
      const { version } = JSON.parse(readFileSync(release.inPackage(`node_modules/${name}/package.json`), 'utf8'));
      expect(version, name).to.equal(packages[`node_modules/${name}`].version);
    }
    const { engines } = JSON.parse(readFileSync(release.inPackage('package.json'), 'utf8'));
    expect(`${engines.node}.0`).to.equal(`>=${OLDEST_NODE}`);
  });

  for (const version of TOO_OLD)
    it(`says in one sentence which Node it needs, when Node ${version} runs it`, function () {
      const node = nodeOf(version);
      if (!node) this.skip();
      for (const args of [[], ['admin', 'list-teams']]) {
        const { status, stdout, stderr } = call(node, args, { DATA_DIR: path.join(elsewhere, 'never') });
        expect([status, stdout]).to.deep.equal([1, '']);
        expect(stderr).to.equal(
          `svc needs Node ${OLDEST_NODE} or newer, and this is Node ${version}; ` +
            `install a newer one, or one from npm as ${release.inPackage('docs/install.md')} says\n`,
        );
      }
      expect(existsSync(path.join(elsewhere, 'never'))).to.equal(false);
    }).timeout(120_000);

  for (const version of NODES)
    it(`serves links, pages, guides and downloads where Node ${version} is installed`, async function () {
      const node = nodeOf(version);
      if (!node) this.skip();
      const isTooOld = TOO_OLD.includes(version);
      const { stdout } = release.bringNode(node);
      expect(existsSync(path.join(release.folder, 'bin/node'))).to.equal(isTooOld);
      if (!isTooOld) expect(stdout).to.match(/^\d+\.\d+\.\d+\n$/);

      const { origin, printed, terminate } = await start(node);
      expect(printed()).to.match(isTooOld ? /on Node 24\./ : new RegExp(`on Node ${version}\\.`));
      expect(printed()).to.contain(`Data is in ${path.resolve(store.env.DATA_DIR ?? '')};`);
      if (version === NODES[0]) await makeLink();
      const followed = await fetch(`${origin}/compiled`, { redirect: 'manual' });
      expect([followed.status, followed.headers.get('location')]).to.deep.equal([302, 'https://example.com/compiled']);
      for (const place of PAGES) expect((await fetch(`${origin}${place}`)).status, place).to.equal(200);
      expect(await (await fetch(`${origin}/llms.txt`)).text()).to.contain('operate');
      expect(await terminate()).to.equal(0);
    }).timeout(300_000);

  async function makeLink(): Promise<void> {
    const made = await fetch(`${child?.origin}/api/v1/links`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${child?.secretKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ destination: 'https://example.com/compiled', slug: 'compiled' }),
    });
    expect(made.status).to.equal(201);
  }

  it('has the admin commands, its usage and its version', function () {
    const node = nodeOf(OLDEST_NODE);
    if (!node) this.skip();
    expect(call(node, ['admin', 'list-teams'], store.env as Record<string, string>).stdout).to.match(/team_\w+/);
    const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
    expect(call(node, ['--version']).stdout).to.equal(`${version}\n`);
    const wrong = call(node, ['strat']);
    expect([wrong.status, wrong.stdout]).to.deep.equal([2, '']);
    expect(wrong.stderr).to.contain('svc-server does not know "strat"').and.contain('svc-server admin NAME');
  }).timeout(120_000);

  it('keeps data in a folder of the user, from wherever it is started, unless DATA_DIR is set', function () {
    const node = nodeOf(OLDEST_NODE);
    if (!node) this.skip();
    const usage = (env: Record<string, string>) => call(node, ['--help'], env).stdout;
    expect(usage({ XDG_DATA_HOME: '/srv/data' })).to.contain('unset, that is /srv/data/svc.');
    expect(usage({ HOME: '/home/ann' })).to.contain('unset, that is /home/ann/.local/share/svc.');
  });
});
