// stores: any

import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { Team } from '../../../src/models/Team.ts';
import { hasProgram, useShell } from '../../support/cli.ts';
import { firstTenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

/** Command line, exit code, and what stderr says. */
const EXITS: [args: string, code: number, says: RegExp][] = [
  ['links list', 0, /^$/],
  ['links list --bogus', 64, /^error: unknown option '--bogus'/],
  ['links lst', 64, /Did you mean list\?/],
  ['lnks', 64, /^error: /],
  ['links', 64, /Usage: svc links/],
  ['links get', 64, /missing required argument 'link'/],
  ['tags create', 64, /required option '--name <text>'/],
  ['links list --status gone', 64, /Allowed choices are flagged/],
  ['links list --limit many', 64, /--limit takes a number/],
  ['links create example.com --routing {', 64, /--routing is no JSON/],
  ['links create example.com --routing @none.json', 64, /none.json cannot be read/],
  ['links update spring-exit', 64, /nothing to change/],
  ['links update --where bogus=1 --title x', 64, /--where takes search, tag/],
  ['keys create --scopes links:fly --name x', 64, /--scopes takes/],
  ['api frobnicate', 64, /has an operation "frobnicate"/],
  ['links create nonsense', 1, /^error: validation_failed: /],
  ['links create example.com spring-exit', 1, /^error: slug_taken: .*\nLeave the slug out.*\nrequest req_/],
  ['links delete spring-exit', 1, /^error: needs_yes: /],
  ['webhooks disable whk_01m8dbjk93e8p81mma50bezed2', 1, /needs_yes/],
  ['links get lnk_01m8dbjk93e8p81mma50bezed2', 5, /^error: not_found: /],
  ['links get nowhere', 5, /not_found/],
  ['links bulk-create --links [{"destination":"https://example.com/"},{"destination":"no"}]', 3, /1 created, 1 failed/],
  ['links bulk-create --links [{"destination":"no"}]', 1, /0 created, 1 failed/],
  ['links delete spring-exit --dry-run', 0, /Dry run/],
];

describe('exit codes of svc', () => {
  const world = useWorld();
  const shell = useShell();
  const env = () => ({ SVC_URL: world.origin, SVC_KEY: world.secretKey });

  before(async () => {
    expect(
      (await world.api('POST', '/links', { slug: 'spring-exit', destination: 'https://example.com/' })).status,
    ).to.equal(201);
  });

  for (const [args, code, says] of EXITS) {
    it(`${code}: svc ${args}`, async () => {
      const ended = await shell.svc(args.split(' '), { env: env() });
      expect(ended.code, ended.stderr).to.equal(code);
      expect(ended.stderr).to.match(says);
      expect(ended.stderr).to.not.contain(world.secretKey);
    });
  }

  it('4 without a key, and with one that is refused', async () => {
    expect((await shell.svc(['links', 'list'])).code).to.equal(4);
    expect((await shell.svc(['links', 'list'], { env: { SVC_URL: world.origin } })).code).to.equal(4);
    const refused = await shell.svc(['links', 'list'], { env: { ...env(), SVC_KEY: 'sk_live_wrong' } });
    expect(refused.code).to.equal(4);
    expect(refused.stderr).to.contain('invalid_key').and.not.contain('sk_live_wrong');
    expect((await shell.svc(['links', 'list'], { env: { ...env(), SVC_KEY: world.publishableKey } })).code).to.equal(4);
  });

  it('69 where nothing listens, in plain words', async () => {
    const ended = await shell.svc(['links', 'list'], {
      env: { ...env(), SVC_URL: `http://127.0.0.1:${await freePort()}` },
    });
    expect(ended.code).to.equal(69);
    expect(ended.stderr).to.contain('connection_refused').and.not.contain('    at ');
  });

  it('1 in a team that is read-only, and reads go on', async () => {
    const { teamId } = await firstTenant(world);
    const set = (values: object) =>
      inTransaction((transaction) => Team.update(values, { where: { id: teamId }, transaction }));
    await set({ status: 'read_only', readOnlyReason: 'a move' });
    const write = await shell.svc(['links', 'create', 'example.com'], { env: env() });
    const read = await shell.svc(['team'], { env: env() });
    await set({ status: 'active', readOnlyReason: null });
    expect([write.code, read.code]).to.deep.equal([1, 0]);
    expect(write.stderr).to.contain('team_read_only').and.contain('svc team shows why');
    expect(read.stdout).to.contain('a move');
  });

  it('says errors as the REST object on stderr with --json', async () => {
    const { stdout, stderr } = await shell.svc(['links', 'create', 'nonsense', '--json'], { env: env() });
    expect(stdout).to.equal('');
    expect(JSON.parse(stderr).error).to.include.keys('code', 'message', 'request_id', 'fields', 'doc_url');
    expect(JSON.parse((await shell.svc(['links', 'lst', '--json'])).stderr).error.code).to.equal('usage');
  });

  it('never shows the key: --debug, the list of processes, the environment of what it starts', async () => {
    const debug = await shell.svc(['links', 'list', '--debug'], { env: env() });
    expect(debug.stderr).to.match(/^GET \/api\/v1\/links 200 \d+ ms req_\w+\n$/);
    const slow = await startSilent();
    try {
      const waiting = shell.svc(['links', 'list'], { env: { ...env(), SVC_URL: slow.origin } });
      await slow.asked;
      expect(spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout).to.not.contain(world.secretKey);
      slow.server.closeAllConnections();
      slow.server.close();
      const ended = await waiting;
      expect(ended.stderr + ended.stdout).to.not.contain(world.secretKey);
    } finally {
      slow.server.close();
    }
  });

  it('130 after Ctrl-C, which ends a request at once', async function () {
    if (!hasProgram('script')) return this.skip();
    const slow = await startSilent();
    const terminal = shell.terminal(`trap : INT; svc links list; echo "exit $?"`, {
      env: { ...env(), SVC_URL: slow.origin },
    });
    await slow.asked;
    terminal.type('\x03');
    await terminal.shows(/exit 130/);
    await terminal.ended();
    slow.server.closeAllConnections();
    slow.server.close();
    return undefined;
  });

  it('deletes a link whose slug was typed', async function () {
    if (!hasProgram('script')) return this.skip();
    await world.api('POST', '/links', { slug: 'typed', destination: 'https://example.com/' });
    const terminal = shell.terminal('svc links delete typed', { env: env() });
    await terminal.shows(/Type typed to go on/);
    terminal.type('typed\r');
    const { code, shown } = await terminal.ended();
    expect(code, shown).to.equal(0);
    expect(shown).to.contain('Deleted');
    return undefined;
  });
});

/** A server that takes requests and says nothing. */
async function startSilent(): Promise<{ server: Server; origin: string; asked: Promise<void> }> {
  let tell = () => {};
  const asked = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const server = createServer(() => tell());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
