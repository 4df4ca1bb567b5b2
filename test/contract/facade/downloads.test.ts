// stores: any
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { ROOT } from '../../support/root.ts';
import { type OwnWorld, startWorld } from '../../support/world.ts';

const run = promisify(execFile);

type Listed = Record<'name' | 'version' | 'url' | 'integrity' | 'install', string> & { bytes: number };

describe('packages to download', () => {
  let world: OwnWorld;
  before(async function () {
    this.timeout(60_000);
    await run(process.execPath, ['scripts/build.mjs', 'sdk-app', 'sdk-client', 'sdk-webhooks'], { cwd: ROOT });
    world = await startWorld();
  });
  after(() => world.stop());

  const list = async () => ((await (await fetch(`${world.origin}/downloads`)).json()) as { data: Listed[] }).data;
  const served = (file: string, method = 'GET') => fetch(`${world.origin}/downloads/${file}`, { method });
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

  it('are listed with their hashes, and served as the list says, to everybody', async () => {
    const packages = await list();
    expect(packages.map(({ name }) => name)).to.include.members(['SVC-App', 'SVC-Webhooks']);
    for (const { name, version, url, bytes, integrity, install } of packages) {
      expect(url).to.match(new RegExp(`/downloads/${name}-${version}\\.tgz$`));
      expect(install).to.equal(`npm install ${url}`);
      const response = await served(path.basename(url));
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.equal('application/gzip');
      expect(response.headers.get('cache-control')).to.include('immutable');
      const body = await bytesOf(response);
      expect(body.length).to.equal(bytes);
      expect(`sha512-${createHash('sha512').update(body).digest('base64')}`).to.equal(integrity);
      const head = await served(path.basename(url), 'HEAD');
      expect([head.status, head.headers.get('content-length')]).to.deep.equal([200, String(bytes)]);
    }
  });

  it('stay as they were served, also after an upgrade that builds others', async () => {
    const folder = path.join(world.dataDir, 'downloads');
    const current = path.basename((await list())[0]?.url ?? '');
    await writeFile(path.join(folder, current), 'as it was');
    await writeFile(path.join(folder, 'SVC-Webhooks-0.0.9.tgz'), 'an earlier one');
    await world.restart();
    expect((await bytesOf(await served(current))).toString()).to.equal('as it was');
    expect((await bytesOf(await served('SVC-Webhooks-0.0.9.tgz'))).toString()).to.equal('an earlier one');
    await rm(path.join(folder, current));
    await world.restart();
    expect((await bytesOf(await served(current))).length).to.be.above(1000);
  });

  it('are nothing else: no other file, no other method, no link in their place', async () => {
    for (const file of ['nothing.tgz', '..%2f..%2fpackage.json', '.built', 'SVC-Webhooks-0.1.0.tgz/x']) {
      const response = await served(file);
      expectError(
        { status: response.status, headers: response.headers, body: await response.json() },
        404,
        'not_found',
      );
    }
    expect((await served('SVC-Webhooks-0.1.0.tgz', 'POST')).status).to.equal(405);
    const link = { destination: 'https://www.example.com/', slug: 'downloads/spring' };
    expectInvalid(await world.api('POST', '/links', link), 'slug');
  });

  it('are installed by npm and run as the README says', async function () {
    this.timeout(60_000);
    const home = await mkdtemp(path.join(tmpdir(), 'svc-customer-'));
    try {
      await writeFile(path.join(home, 'package.json'), '{ "private": true }');
      const url = `${world.origin}/downloads/SVC-Webhooks-0.1.0.tgz`;
      const options = ['--no-audit', '--no-fund', `--cache=${path.join(home, 'cache')}`];
      await run('npm', ['install', ...options, url], { cwd: home });
      const lock = JSON.parse(await readFile(path.join(home, 'package-lock.json'), 'utf8'));
      const listed = (await list()).find((one) => one.url.endsWith('SVC-Webhooks-0.1.0.tgz'));
      const { resolved, integrity } = lock.packages['node_modules/SVC-Webhooks'];
      expect([resolved, integrity]).to.deep.equal([url, listed?.integrity]);
      const program = `import { constructEvent, signatureHeader, testEvent } from 'SVC-Webhooks';
        const rawBody = JSON.stringify(testEvent('link.created', {}));
        const header = signatureHeader({ rawBody, secret: 'whsec_a' });
        console.log(constructEvent(rawBody, header, 'whsec_a').type);`;
      await writeFile(path.join(home, 'program.mjs'), program);
      const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: home });
      expect(stdout).to.equal('link.created\n');
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});
