// plays, stores: each
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { type Product, startProduct } from '../../app/product.ts';
import { JOBS } from '../../jobs/table.ts';
import { closeClickHouse } from '../../src/clicks/clickhouse/connection.ts';
import { segmentsIn } from '../../src/clicks/lost/journalFolder.ts';
import { sealFor } from '../../src/db/sealedColumns.ts';
import { inTransaction } from '../../src/db/transactions.ts';
import { config, loadConfig } from '../../src/kernel/config.ts';
import { AuditEntry } from '../../src/models/AuditEntry.ts';
import { User } from '../../src/models/User.ts';
import { runAdmin, startAdmin } from '../support/admin.ts';
import { AGENTS } from '../support/agents.ts';
import { apiOf } from '../support/api.ts';
import { hasEngine, startClickHouse } from '../support/clickHouse.ts';
import { expectError } from '../support/expectError.ts';
import { graphql, signIn } from '../support/graphql.ts';
import { tokenIn } from '../support/people.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';

const OWNER = 'owner@example.com';
const TARGET = 'https://www.example.com/';

/** Each command that docs/operate.md prints runs here next to the product, which goes on all the while. */
describe('npm run admin, while the product runs', function () {
  this.timeout(600_000);
  let store: Store;
  let product: Product;
  let key: string;
  let teamId: string;
  let folder: string;

  const adminIn = (settings: Record<string, string>, ...args: string[]) =>
    runAdmin({ ...store.env, ...settings }, ...args);
  const admin = (...args: string[]) => adminIn({}, ...args);
  /** As a process of its own, which has to end by itself. */
  const adminProcess = (...args: string[]) => startAdmin(store.env, ...args).ended;
  /** The output of a command that ends well. */
  const output = async (...args: string[]) => {
    const { code, out, error } = await admin(...args);
    expect(code, error).to.equal(0);
    return out;
  };
  const origin = () => `http://127.0.0.1:${product.port}`;
  const api = () => apiOf(origin(), key);
  const make = async (slug: string) => (await api()('POST', '/links', { destination: TARGET, slug })).body;
  const follow = async (slug: string) => {
    const headers = { 'User-Agent': AGENTS.human };
    const response = await fetch(`${origin()}/${slug}`, { redirect: 'manual', headers });
    return { status: response.status, text: await response.text() };
  };

  before(async function () {
    this.timeout(600_000);
    store = await makeStore();
    folder = await mkdtemp(path.join(tmpdir(), 'svc-admin-'));
    // Clicks stay in the journal until a test moves them.
    const settings = { CLICK_DRAIN_MILLISECONDS: '600000' };
    loadConfig({ LOG_LEVEL: 'silent', PORT: '0', HOST: '127.0.0.1', ...settings, ...store.env });
    product = await startProduct({
      onFirstStart: (account) => {
        key = account.secretKey;
      },
    });
    teamId = (await api()('GET', '/team')).body.id;
  });
  after(async () => {
    await product?.stop();
    await store?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it('shows how each command is used', async () => {
    const { code, error } = await adminProcess();
    expect(code).to.equal(1);
    const ofAccounts = ['reset-owner', 'reset-password EMAIL', 'reset-second-factor EMAIL'];
    for (const command of [...ofAccounts, 'list-teams', 'read-only TEAM_ID REASON…', 'writable TEAM_ID', 'jobs']) {
      expect(error).to.include(`npm run admin -- ${command}\n`);
    }
  });

  it('lists teams, and makes them read-only and writable at once', async () => {
    const listed = await adminProcess('list-teams');
    expect([listed.code, listed.out]).to.deep.equal([0, `${teamId}  My team  active\n`]);
    expect(await output('read-only', teamId, 'we', 'move')).to.equal(`${teamId}  My team  read_only (we move)\n`);
    const refused = await api()('POST', '/links', { destination: TARGET });
    expectError(refused, 403, 'team_read_only');
    expect(refused.body.error.message).to.include('we move');
    expect(await output('writable', teamId)).to.equal(`${teamId}  My team  active\n`);
    expect((await api()('POST', '/links', { destination: TARGET })).status).to.equal(201);
    const audited = await AuditEntry.findAll({ where: { subjectId: teamId }, order: [['id', 'ASC']] });
    expect(audited.map(({ action, actorKind }) => [action, actorKind])).to.deep.equal([
      ['team.read_only', 'operator'],
      ['team.active', 'operator'],
    ]);
  });

  it('stops a flagged link at once, lists it, and lets it work again', async () => {
    const { id, short_url } = await make('flagged');
    expect((await follow('flagged')).status).to.equal(302);
    expect(await output('flag', id, 'sells', 'fakes')).to.equal(`${id} is flagged.\n`);
    const within = 1000;
    await until(async () => (await follow('flagged')).status === 404, 'the flag', within);
    expect((await follow('flagged')).text).to.include('This link is blocked');
    const listed = await output('list-flagged', `--team=${teamId}`);
    expect(listed, listed).to.match(new RegExp(`^${id}  ${short_url}  \\S+  operator  no review  sells fakes\n$`));
    expect(JSON.parse(await output('list-flagged', '--json'))).to.include({ id, destination: TARGET });
    expect(await output('clear-flag', id)).to.equal(`The flag of ${id} is cleared.\n`);
    await until(async () => (await follow('flagged')).status === 302, 'its end', within);
    expect(await output('list-flagged')).to.equal('No link is flagged.\n');
  });

  it('says what is wrong', async () => {
    const unknown = await admin('writable', 'team_x');
    expect([unknown.code, unknown.error]).to.deep.equal([1, 'There is no such team.\n']);
    const { code, error } = await admin('read-only', teamId);
    expect(code).to.equal(1);
    expect(error).to.include('read-only TEAM_ID REASON…').and.not.include('reset-owner');
  });

  it('makes a new secret key, in a project that is named or in the first', async () => {
    const out = await output('new-key');
    const [made = ''] = /sk_live_[\w-]+/.exec(out) ?? [];
    const [projectId = ''] = /prj_\w+/.exec(out) ?? [];
    expect(await output('new-key', projectId)).to.match(/sk_live_/);
    expect((await admin('new-key', teamId)).error).to.equal('There is no such project.\n');
    key = made;
    expect((await api()('POST', '/links', { destination: TARGET })).status).to.equal(201);
  });

  it('makes nothing where there is no store, and says so', async function () {
    if (STORE !== 'sqlite') this.skip();
    const nowhere = path.join(store.dataDir, 'nowhere');
    const { code, error } = await adminIn({ DATA_DIR: nowhere }, 'reset-owner');
    expect([code, error]).to.deep.equal([
      1,
      `There is no store in DATA_DIR ${nowhere}. Set DATA_DIR, or DATABASE_URL, as for the product itself.\n`,
    ]);
    expect(existsSync(nowhere)).to.equal(false);
  });

  it('prints every kind of job, with what waits and what failed', async () => {
    const out = await output('jobs');
    expect(out.split('\n\n')).to.have.lengthOf(JOBS.length);
    for (const { queue, about } of JOBS) expect(out).to.include(`${queue.padEnd(20)}${about}\n`);
    expect(out).to.match(/sendMails[\s\S]+?every 5 s if something is due, and at once when something is announced\n/);
    expect(out).to.match(/purgeOld[\s\S]+?\d+ waiting.*, \d+ for later, \d+ running, 0 dead/);
  });

  it('encrypts secrets anew, and never with another key than the product has', async () => {
    const wrong = await adminIn({ SECRET_KEY: 'another key, of enough characters', SECRET_KEY_PREVIOUS: '' }, 'reseal');
    expect([wrong.code, wrong.out]).to.deep.equal([1, '']);
    if (STORE === 'sqlite') expect(wrong.error).to.include('The running product has another SECRET_KEY');
    else expect(wrong.error).to.match(/^A stored secret was encrypted with another SECRET_KEY[^\n]*\n$/);
    expect(await output('reseal')).to.match(
      /visitor_keys +0 encrypted again, [1-9]\d* already up to date, 0 unreadable/,
    );
  });

  it('gives the owner the password of the caller, or a new one, and ends the sessions', async () => {
    const { code, out } = await adminIn({ OWNER_PASSWORD: 'a password for a day' }, 'reset-owner');
    expect([code, out]).to.deep.equal([
      0,
      `\n  Email     ${OWNER}\n  Password  a password for a day\n\nAll sessions of this user have ended.\n`,
    ]);
    const session = await signIn(origin(), OWNER, 'a password for a day');
    const [, password = ''] = /Password {2}(\S{16})\n/.exec(await output('reset-owner')) ?? [];
    const { errors } = await graphql(origin(), '{ teams { data { id } } }', {}, session);
    expect(errors?.[0]?.extensions.code).to.equal('not_signed_in');
    expect(await signIn(origin(), OWNER, password)).to.be.a('string');
  });

  it('switches off a second factor, and says when there is none', async () => {
    expect(await output('reset-second-factor', OWNER)).to.equal(`${OWNER} has no second factor.\n`);
    const user = await User.findOne({ where: { email: OWNER }, rejectOnEmpty: true });
    const totpSecret = sealFor('secondFactor', [user.id], 'JBSWY3DPEHPK3PXP');
    await inTransaction((transaction) => user.update({ totpSecret, totpEnabledAt: new Date() }, { transaction }));
    expect(await output('reset-second-factor', OWNER.toUpperCase())).to.include('is off.\n');
    expect((await user.reload()).totpEnabledAt).to.equal(null);
    const unknown = await admin('reset-second-factor', 'nobody@example.com');
    expect([unknown.code, unknown.error]).to.deep.equal([
      1,
      'There is no account with the e-mail nobody@example.com.\n',
    ]);
  });

  it('gives a link with which somebody sets a new password', async () => {
    const out = await output('reset-password', 'Owner@example.com');
    expect(out).to.match(/^http:\/\/localhost:\d+\/app\/reset-password#token=[\w-]{43}\n/);
    const reset =
      'mutation ($token: String!, $password: String!) { resetPassword(token: $token, password: $password) }';
    const password = 'a quite different password';
    expect((await graphql(origin(), reset, { token: tokenIn(out), password })).data.resetPassword).to.equal(true);
    expect(await signIn(origin(), OWNER, password)).to.be.a('string');
  });

  it('finds nothing to migrate', async () => {
    expect(await output('migrate')).to.equal('The store is up to date.\n');
  });

  it('moves clicks that another process left, but not those of the product', async () => {
    await make('left');
    const left = path.join(folder, 'left');
    // Whatever asks for figures meanwhile has the product move its clicks itself.
    await until(async () => {
      await follow('left');
      const refused = await admin('drain', store.dataDir);
      await cp(path.join(store.dataDir, 'clicks'), path.join(left, 'clicks'), { recursive: true });
      if (refused.out.startsWith('There are no clicks')) return false;
      const inUse = refused.error.startsWith(`DATA_DIR ${store.dataDir} is in use by `);
      expect([refused.code, inUse], refused.error).to.deep.equal([1, true]);
      return (await segmentsIn(path.join(left, 'clicks'))).length > 0;
    }, 'clicks in the journal of the product');
    expect(await output('drain', left)).to.match(/\/clicks: [1-9]\d* clicks moved to the store, 0 rejected by it/);
    expect(await output('drain', left)).to.equal(`There are no clicks in ${left}.\n`);
    expect((await admin('drain', path.join(folder, 'nowhere'))).error).to.equal(
      `There is no folder ${path.join(folder, 'nowhere')}.\n`,
    );
  });

  it('backs up the store, and verifies the backup', async () => {
    const target = path.join(folder, 'backup');
    expect(await output('backup', target)).to.match(/^\S+backup: \d+ rows, /);
    expect(await output('verify', target)).to.not.equal('');
  });

  it('stays out of what needs the store to itself, naming the process', async () => {
    const refused = await admin('restore', path.join(folder, 'backup'), '--replace');
    expect(refused.code).to.equal(1);
    if (STORE !== 'sqlite') return expect(refused.error).to.include('connected to this database');
    const inUse = `DATA_DIR ${store.dataDir} is in use by the running product (process ${process.pid}).`;
    expect(refused.error).to.equal(`${inUse} Stop it for restore, which needs the store to itself.\n`);
    const move = await admin('move-to-postgres', 'postgres://127.0.0.1:1/none');
    expect(move.error).to.equal(`${inUse} Stop it for move-to-postgres, which needs the store to itself.\n`);
  });

  it('copies clicks to ClickHouse', async function () {
    if (!hasEngine()) this.skip();
    const clickHouse = await startClickHouse();
    try {
      const other = await adminIn(STORE === 'sqlite' ? { CLICKS_URL: clickHouse.url } : {}, 'move-clicks');
      expect(other.error).to.match(
        STORE === 'sqlite' ? /^The running product has no CLICKS_URL/ : /^CLICKS_URL is not set/,
      );
      const before = await api()('GET', '/analytics');
      config.clicksUrl = clickHouse.url;
      const { code, out, error } = await adminIn({ CLICKS_URL: clickHouse.url }, 'move-clicks');
      expect(code, error).to.equal(0);
      expect(out).to.match(/^[1-9]\d* clicks are in ClickHouse\./);
      expect((await api()('GET', '/analytics')).body.total).to.deep.equal(before.body.total);
      const none = await adminIn(
        { CLICKS_URL: clickHouse.url },
        'move-clicks',
        '--after=clk_zzzzzzzzzzzzzzzzzzzzzzzzzz',
      );
      expect(none.out).to.match(/^0 clicks/);
    } finally {
      config.clicksUrl = null;
      await closeClickHouse();
      await clickHouse.stop();
    }
  });

  it('names the setting of the store that is away', async function () {
    if (STORE !== 'postgres') this.skip();
    for (const host of ['127.0.0.1', 'nowhere.invalid']) {
      const { code, error } = await adminIn({ CLICKS_URL: `clickhouse://svc:secret@${host}:1/svc` }, 'move-clicks');
      expect(code).to.equal(1);
      expect(error).to.match(
        /^ClickHouse, which has the clicks, cannot be used at the moment: \S.*; see CLICKS_URL\.\n$/,
      );
    }
  });

  it('opens the store by itself once the product has stopped', async () => {
    await product.stop();
    const { code, out } = await adminProcess('list-teams');
    expect([code, out]).to.deep.equal([0, `${teamId}  My team  active\n`]);
  });
});
