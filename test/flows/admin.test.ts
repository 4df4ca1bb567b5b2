// stores: each
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { JOBS } from '../../jobs/table.ts';
import { type Product, startProduct } from '../../src/app/product.ts';
import { loadConfig } from '../../src/kernel/config.ts';
import { apiOf } from '../support/api.ts';
import { PROCESS_ENV } from '../support/child.ts';
import { expectError } from '../support/expectError.ts';
import { graphql, signIn } from '../support/graphql.ts';
import { tokenIn } from '../support/people.ts';
import { inRoot } from '../support/root.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';

const ADMIN = inRoot('dist/scripts/admin.js');

describe('npm run admin', () => {
  let store: Store;
  let product: Product;
  let key: string;
  let teamId: string;

  const adminIn = (settings: Record<string, string>, ...args: string[]) =>
    new Promise<{ code: number; out: string; error: string }>((resolve) => {
      const env = { ...PROCESS_ENV, ...store.env, ...settings };
      const child = execFile(process.execPath, [ADMIN, ...args], { env }, (_, out, error) =>
        resolve({ code: child.exitCode ?? -1, out, error }),
      );
    });
  const admin = (...args: string[]) => adminIn({}, ...args);
  const api = () => apiOf(`http://127.0.0.1:${product.port}`, key);

  before(async function () {
    this.timeout(180_000);
    store = await makeStore();
    loadConfig({ LOG_LEVEL: 'silent', PORT: '0', HOST: '127.0.0.1', ...store.env });
    product = await startProduct({
      onFirstStart: (account) => {
        key = account.secretKey;
      },
    });
    teamId = (await api()('GET', '/team')).body.id;
  });
  after(async () => {
    await product.stop();
    await store.remove();
  });

  it('shows how each command is used', async () => {
    const { code, error } = await admin();
    expect(code).to.equal(1);
    const ofAccounts = ['reset-owner', 'reset-password EMAIL', 'reset-second-factor EMAIL'];
    for (const command of [...ofAccounts, 'list-teams', 'read-only TEAM_ID REASON…', 'writable TEAM_ID', 'jobs']) {
      expect(error).to.include(`npm run admin -- ${command}\n`);
    }
  });

  it('acts beside the running product where the store is PostgreSQL', async function () {
    if (STORE !== 'postgres') this.skip();
    expect((await admin('read-only', teamId, 'we', 'move')).code).to.equal(0);
    const refused = await api()('POST', '/links', { destination: 'https://www.example.com/' });
    expectError(refused, 403, 'team_read_only');
    expect(refused.body.error.message).to.include('we move');
    expect((await admin('writable', teamId)).code).to.equal(0);
    expect((await api()('POST', '/links', { destination: 'https://www.example.com/' })).status).to.equal(201);
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

  it('waits for the product to stop where the store is embedded', async function () {
    if (STORE !== 'sqlite') this.skip();
    expect((await admin('list-teams')).error).to.match(/DATA_DIR .* is in use/);
    await product.stop();
  });

  it('lists teams, and makes them read-only and writable', async () => {
    expect((await admin('list-teams')).out).to.equal(`${teamId}  My team  active\n`);
    await admin('read-only', teamId, 'we move');
    expect((await admin('list-teams')).out).to.equal(`${teamId}  My team  read_only (we move)\n`);
    expect((await admin('writable', teamId)).out).to.equal(`${teamId}  My team  active\n`);
  });

  it('says what is wrong', async () => {
    const unknown = await admin('writable', 'team_x');
    expect([unknown.code, unknown.error]).to.deep.equal([1, 'There is no such team.\n']);
    const { code, error } = await admin('read-only', teamId);
    expect(code).to.equal(1);
    expect(error).to.include('read-only TEAM_ID REASON…').and.not.include('reset-owner');
  });

  it('makes a new secret key, in a project that is named or in the first', async () => {
    const { code, out } = await admin('new-key');
    expect(code).to.equal(0);
    const [made = ''] = /sk_live_[\w-]+/.exec(out) ?? [];
    const [projectId = ''] = /prj_\w+/.exec(out) ?? [];
    expect((await admin('new-key', projectId)).out).to.match(/sk_live_/);
    expect((await admin('new-key', teamId)).error).to.equal('There is no such project.\n');
    if (STORE === 'sqlite') product = await startProduct();
    key = made;
    expect((await api()('POST', '/links', { destination: 'https://www.example.com/' })).status).to.equal(201);
    if (STORE === 'sqlite') await product.stop();
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
    const { code, out } = await admin('jobs');
    expect(code).to.equal(0);
    expect(out.split('\n\n')).to.have.lengthOf(JOBS.length);
    for (const { queue, about } of JOBS) expect(out).to.include(`${queue.padEnd(20)}${about}\n`);
    expect(out).to.match(/sendMails[\s\S]+?every 5 s if something is due, and at once when something is announced\n/);
    expect(out).to.match(/purgeOld[\s\S]+?\d+ waiting.*, \d+ for later, \d+ running, 0 dead/);
  });

  it('encrypts secrets anew, and fails where some cannot be read', async () => {
    const wrong = await adminIn({ SECRET_KEY: 'another key, of enough characters', SECRET_KEY_PREVIOUS: '' }, 'reseal');
    expect([wrong.code, wrong.out]).to.deep.equal([1, '']);
    expect(wrong.error).to.match(/visitor_keys +0 encrypted again, 0 already up to date, [1-9]\d* unreadable/);
    expect(wrong.error).to.include('Add that key and run this again.');
    const right = await admin('reseal');
    expect(right.code).to.equal(0);
    expect(right.out).to.match(/visitor_keys +0 encrypted again, [1-9]\d* already up to date, 0 unreadable/);
  });

  it('gives the owner a new password', async () => {
    const { code, out } = await admin('reset-owner');
    expect(code).to.equal(0);
    expect(out)
      .to.include('owner@example.com')
      .and.match(/Password {2}\S{16}/);
  });

  it('says whether somebody has a second factor to switch off', async () => {
    const { code, out } = await admin('reset-second-factor', 'owner@example.com');
    expect([code, out]).to.deep.equal([0, 'owner@example.com has no second factor.\n']);
    const unknown = await admin('reset-second-factor', 'nobody@example.com');
    expect([unknown.code, unknown.error]).to.deep.equal([
      1,
      'There is no account with the e-mail nobody@example.com.\n',
    ]);
  });

  it('gives a link with which somebody sets a new password', async () => {
    const { code, out } = await admin('reset-password', 'Owner@example.com');
    expect(code).to.equal(0);
    expect(out).to.match(/^http:\/\/localhost:\d+\/app\/reset-password#token=[\w-]{43}\n/);
    if (STORE === 'sqlite') product = await startProduct();
    const origin = `http://127.0.0.1:${product.port}`;
    const reset =
      'mutation ($token: String!, $password: String!) { resetPassword(token: $token, password: $password) }';
    const password = 'a quite different password';
    expect((await graphql(origin, reset, { token: tokenIn(out), password })).data.resetPassword).to.equal(true);
    expect(await signIn(origin, 'owner@example.com', password)).to.be.a('string');
  });
});
