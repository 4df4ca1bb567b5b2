// stores: any

import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { hasProgram, useShell } from '../../support/cli.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { useWorld } from '../../support/world.ts';

describe('svc login and what it keeps', () => {
  const world = useWorld();
  const shell = useShell();
  const configFile = () => path.join(shell.home, '.config/svc/config.json');

  before(async () => {
    const { code, stderr } = await shell.svc(['login', '--url', world.origin, '--key-stdin'], {
      input: `${world.secretKey}\n`,
    });
    expect(code, stderr).to.equal(0);
    expect(stderr).to.contain('Signed in to').and.contain('My project').and.contain('links:write');
    expect(stderr).to.not.contain(world.secretKey);
  });

  it('keeps the key in a file of the person alone', () => {
    expect(statSync(configFile()).mode & 0o777).to.equal(0o600);
    expect(statSync(path.dirname(configFile())).mode & 0o777).to.equal(0o700);
    expect(JSON.parse(readFileSync(configFile(), 'utf8'))).to.nested.include({
      current: 'default',
      'profiles.default.url': world.origin,
      'profiles.default.key': world.secretKey,
    });
  });

  it('refuses a file that others can read, and says what mends it', async () => {
    chmodSync(configFile(), 0o644);
    const { code, stderr } = await shell.svc(['whoami']);
    chmodSync(configFile(), 0o600);
    expect(code).to.equal(1);
    expect(stderr).to.contain('config_too_open').and.contain(`chmod 600 '${configFile()}'`);
  });

  it('says who it is', async () => {
    const { code, stdout } = await shell.svc(['whoami']);
    expect(code).to.equal(0);
    expect(stdout).to.contain(`server\t${world.origin}`).and.contain('profile\tdefault').and.contain('team\tMy team');
    const json = await shell.svc(['whoami', '--json']);
    expect(JSON.parse(json.stdout).name).to.equal('First secret key');
  });

  it('takes no key as an argument, and no key that is none', async () => {
    const argument = await shell.svc(['login', world.secretKey]);
    expect(argument.code).to.equal(64);
    const publishable = await shell.svc(['login', '--url', world.origin, '--key-stdin'], {
      input: world.publishableKey,
    });
    expect(publishable.code).to.equal(64);
    const wrong = await shell.svc(['login', '--url', world.origin, '--key-stdin'], { input: 'sk_live_wrong' });
    expect(wrong.code).to.equal(4);
    expect(JSON.parse(readFileSync(configFile(), 'utf8')).profiles.default.key).to.equal(world.secretKey);
  });

  it('keeps nothing of an address where something else answers', async () => {
    let body = '';
    const other = createServer((_, response) => response.end(body));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    after(() => void other.close());
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    for (body of ['{}', 'null', '{"project":{}}', '<html></html>']) {
      const { code, stderr } = await shell.svc(['login', '--url', url, '--key-stdin', '--profile', 'other'], {
        input: world.secretKey,
      });
      expect([code, stderr.includes('not svc')], stderr).to.deep.equal([1, true]);
    }
    expect(JSON.parse(readFileSync(configFile(), 'utf8')).profiles).to.have.all.keys('default');
  });

  it('sends the key to its own server alone', async () => {
    const { code, stderr } = await shell.svc(['links', 'list', '--url', 'http://127.0.0.1:9999']);
    expect(code).to.equal(4);
    expect(stderr).to.contain('key_withheld').and.contain(world.origin);
  });

  describe('.svc.json', () => {
    const folder = () => path.join(shell.home, 'site/pages');
    const write = (content: unknown) => writeFileSync(path.join(shell.home, 'site/.svc.json'), JSON.stringify(content));
    before(() => mkdirSync(folder(), { recursive: true }));

    it('is found up the tree, below flags and environment', async () => {
      write({ url: world.origin, domain: 'go.example.com' });
      const inFolder = await shell.svc(['config', 'get', 'domain'], { cwd: folder() });
      expect(inFolder.stdout).to.equal('go.example.com\n');
      const list = await shell.svc(['config', 'get', '--json'], {
        cwd: folder(),
        env: { SVC_URL: 'https://other.example' },
      });
      expect(JSON.parse(list.stdout)[0]).to.deep.equal({
        name: 'url',
        value: 'https://other.example',
        source: 'environment',
      });
      const flagged = await shell.svc(['config', 'get', 'url', '--url', 'third.example'], {
        cwd: folder(),
        env: { SVC_URL: 'https://other.example' },
      });
      expect(flagged.stdout).to.equal('https://third.example\n');
    });

    it('is refused with a secret or an unknown field', async () => {
      write({ key: world.secretKey });
      const secret = await shell.svc(['whoami'], { cwd: folder() });
      expect(secret.code).to.equal(1);
      expect(secret.stderr).to.contain('project_file_refused').and.not.contain(world.secretKey);
      write({ team: 'x' });
      expect((await shell.svc(['whoami'], { cwd: folder() })).stderr).to.contain('unknown field: team');
    });

    it('cannot lead a key of the environment elsewhere', async () => {
      write({ url: 'http://127.0.0.1:9998' });
      const { code, stderr } = await shell.svc(['links', 'list'], { cwd: folder(), env: { SVC_KEY: world.secretKey } });
      expect(code).to.equal(4);
      expect(stderr).to.contain('SVC_KEY is not sent to http://127.0.0.1:9998');
    });

    describe('with an address that no profile knows', () => {
      let catcher: Receiver;
      before(async () => {
        catcher = await startReceiver();
        write({ url: new URL(catcher.url).origin });
      });
      after(() => catcher.close());

      it('gets no key from a login without a terminal, not even with --yes', async () => {
        for (const flags of [[], ['--yes'], ['--profile', 'new']]) {
          const { code, stderr } = await shell.svc(['login', '--key-stdin', ...flags], {
            cwd: folder(),
            input: world.secretKey,
          });
          expect(code).to.equal(64);
          expect(stderr).to.contain('address_unconfirmed').and.contain('.svc.json').and.contain('svc login --url');
        }
        expect(catcher.received).to.deep.equal([]);
      });

      it('gets one from a login in a terminal after its host was typed', async function () {
        if (!hasProgram('script')) return this.skip();
        const refused = shell.terminal(`cd ${folder()} && svc login --no-browser`);
        await refused.shows(/only named by/);
        refused.type('yes\r');
        const { code, shown } = await refused.ended();
        expect([code, shown.includes('Secret key')], shown).to.deep.equal([1, false]);
        expect(catcher.received).to.deep.equal([]);
        const wanted = shell.terminal(`cd ${folder()} && svc login --no-browser`);
        await wanted.shows(/only named by/);
        wanted.type(`${new URL(catcher.url).host}\r`);
        await wanted.shows(/Secret key/);
        wanted.type('\u0003');
        await wanted.ended();
        return undefined;
      });

      it('is not opened in a browser', async function () {
        if (!hasProgram('script')) return this.skip();
        const { code, shown } = await shell.terminal(`cd ${folder()} && svc open`).ended();
        expect([code, shown.includes('Not opened')], shown).to.deep.equal([0, true]);
        return undefined;
      });
    });
  });

  it('has profiles, and forgets keys and profiles', async () => {
    const made = await shell.svc(['login', '--profile', 'staging', '--url', world.origin, '--key-stdin'], {
      input: world.secretKey,
    });
    expect(made.code).to.equal(0);
    const list = await shell.svc(['profiles', 'list', '--fields', 'name,is_current']);
    expect(list.stdout).to.equal('default\tfalse\nstaging\ttrue\n');
    expect((await shell.svc(['logout'])).code).to.equal(0);
    expect((await shell.svc(['whoami'])).code).to.equal(4);
    expect((await shell.svc(['profiles', 'use', 'default'])).code).to.equal(0);
    expect((await shell.svc(['profiles', 'remove', 'staging'])).code).to.equal(1);
    expect((await shell.svc(['profiles', 'remove', 'staging', '--yes'])).code).to.equal(0);
    expect((await shell.svc(['--profile', 'staging', 'whoami'])).stderr).to.contain('unknown_profile');
    expect((await shell.svc(['whoami'])).code).to.equal(0);
  });

  it('asks for the key in a terminal without showing it', async function () {
    if (!hasProgram('script')) return this.skip();
    const terminal = shell.terminal(`svc login --no-browser --profile typed --url ${world.origin}`);
    await terminal.shows(/Secret key/);
    terminal.type(`${world.secretKey}\r`);
    const { code, shown } = await terminal.ended();
    expect(code, shown).to.equal(0);
    expect(shown).to.contain('/app/api?new=cli').and.contain('Signed in to').and.not.contain(world.secretKey);
    return undefined;
  });
});
