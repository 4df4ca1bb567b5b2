// plays, stores: each
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { apiOf } from '../support/api.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

async function failureOf(start: Promise<Child>): Promise<string> {
  try {
    const child = await start;
    await child.kill();
    return 'it started';
  } catch (error) {
    return (error as Error).message;
  }
}

/** The permissions of a file; 0 where it is gone: the job store deletes and writes some at any time. */
async function modeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).mode;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return 0;
  }
}

/** What is below a folder and has permissions for others, such as "644 jobs/PG_VERSION". */
async function openToOthers(folder: string): Promise<string[]> {
  const open = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const mode = await modeOf(path.join(folder, name));
    if (mode & 0o077) open.push(`${(mode & 0o777).toString(8)} ${name}`);
  }
  return open;
}

/** What a process says before it opens a store is the same on each. */
const isFirst = STORE === 'sqlite';

describe('the process', function () {
  this.timeout(600_000);
  let store: Store;
  let child: Child;
  let port: number;
  let key: string;

  before(async () => {
    store = await makeStore({ isBare: true });
    port = await freePort();
    child = await startChild(port, store.env);
    key = child.secretKey;
  });
  after(async () => {
    await child.kill();
    await store.remove();
  });

  it('leaves the first account in a file, since a log is no place for it, with a curl line that works as it stands', async () => {
    const file = path.join(store.dataDir, 'first-account');
    const printed = child.printed();
    expect(printed.indexOf(file)).to.be.greaterThan(-1).and.lessThan(printed.indexOf('"msg":"ready"'));
    expect(printed).to.not.match(/sk_live_|pk_live_/);
    const shown = await readFile(file, 'utf8');
    expect(shown)
      .to.match(/Sign in at +http:\/\/localhost:\d+\/app\n/)
      .and.match(/owner@example\.com/)
      .and.match(/pk_live_[\w-]+/);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    const [, url, body] = /curl (\S+) \\\n[\s\S]*?-d '(.*)'/.exec(shown) ?? [];
    const response = await fetch(String(url).replace('localhost', '127.0.0.1'), {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: String(body),
    });
    expect(response.status).to.equal(201);
  });

  it('leaves nothing in DATA_DIR that other users of the machine could read or change', async () => {
    // The job store opens after the product is ready. What it writes meanwhile has modes of PGlite's, in a folder that is closed from the start.
    await until(() => STORE !== 'sqlite' || existsSync(path.join(store.dataDir, 'jobs')), 'the job store', 120_000);
    for (const name of ['', ...(await readdir(store.dataDir))]) {
      expect((await modeOf(path.join(store.dataDir, name))) & 0o077, name).to.equal(0);
    }
    let open: string[] = [];
    await until(
      async () => {
        open = await openToOthers(store.dataDir);
        return open.length === 0;
      },
      () => `others to be locked out of ${open}`,
    );
    const files = await readdir(store.dataDir, { recursive: true });
    expect(files.length).to.be.greaterThan(STORE === 'sqlite' ? 400 : 0);
  });

  it('creates nothing when its port is in use, and says so', async function () {
    if (!isFirst) this.skip();
    const dataDir = path.join(store.dataDir, 'other');
    const message = await failureOf(startChild(port, { ...store.env, DATA_DIR: dataDir }));
    expect(message).to.equal(
      `Ended with 1 before it was ready:\nPort ${port} is in use by another program. Stop it, or set PORT to another one.\n`,
    );
    expect(await readdir(store.dataDir)).to.not.include('other');
  });

  it('explains in a sentence what keeps it from starting', async function () {
    if (!isFirst) this.skip();
    const url = 'postgres://postgres:secret@127.0.0.1:1/nowhere';
    const file = path.join(store.dataDir, 'first-account');
    const faults: [Record<string, string>, RegExp][] = [
      [{ DATA_DIR: file, DATABASE_URL: '' }, /^DATA_DIR \S+ is a file, not a folder\. .*$/],
      [{ DATA_DIR: '/proc/nothing', DATABASE_URL: '' }, /^DATA_DIR \/proc\/nothing cannot be created there\. .*$/],
      [{ HOST: '192.0.2.1' }, /^192\.0\.2\.1 is not an address of this machine\. .*$/],
      [
        { DATABASE_URL: url, SECRET_KEY: 'x'.repeat(32), DATA_DIR: path.join(store.dataDir, 'apart') },
        /^The server of nowhere at 127\.0\.0\.1:1 refuses connections; see DATABASE_URL\.$/,
      ],
    ];
    for (const [env, sentence] of faults) {
      const message = await failureOf(startChild(await freePort(), { ...store.env, ...env }));
      expect(message).to.match(/^Ended with 1/);
      expect(message.trim().split('\n')).to.have.length(2);
      expect(message.trim().split('\n')[1]).to.match(sentence);
    }
  });

  it('refuses a DATA_DIR that another process uses, and says so', async () => {
    const message = await failureOf(startChild(await freePort(), store.env));
    expect(message)
      .to.match(/Ended with 1/)
      .and.match(/DATA_DIR .* is in use by another process/);
  });

  it('names a setting that is wrong', async function () {
    if (!isFirst) this.skip();
    const message = await failureOf(
      startChild(await freePort(), { ...store.env, WEBHOOK_RETRY_SECONDS: 'soon', ROLE: 'king' }),
    );
    expect(message)
      .to.match(/WEBHOOK_RETRY_SECONDS must be/)
      .and.match(/ROLE must be one of/);
  });

  it('ends on SIGTERM with what is in hand written down, and shows no secret at the next start', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        fetch(`${child.origin}/hello`, { redirect: 'manual', headers: { 'User-Agent': AGENT } }),
      ),
    );
    expect(answers.every(({ status }) => status === 302)).to.equal(true);
    expect(await child.terminate()).to.equal(0);
    await rm(path.join(store.dataDir, 'first-account'));
    child = await startChild(port, store.env);
    expect(child.printed()).to.not.match(/sk_live_|pk_live_|Password|first-account/);
    expect(await readdir(store.dataDir)).to.not.include('first-account');
    const analytics = await apiOf(child.origin, key)('GET', '/analytics');
    expect(analytics.body.total.count).to.equal(50);
  });
});
