// plays, stores: each
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { runAdmin, startAdmin } from '../support/admin.ts';
import { apiOf } from '../support/api.ts';
import { askStore } from '../support/askStore.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { furnish, readEverything, settle, startWork } from '../support/loadedProduct.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';

/** Many calls in a short time, and clicks that are in the journal for a while. */
const SETTINGS = { RATE_LIMIT_PER_MINUTE: '100000', CLICK_DRAIN_MILLISECONDS: '300' };
const MANIFEST = 'manifest.json';

describe('npm run admin -- backup, verify, restore', function () {
  this.timeout(600_000);
  let folder: string;
  let store: Store;
  let empty: Store;
  let child: Child;
  let receiver: { close(): Promise<void> };
  let key: string;
  let port: number;

  const admin = (...args: string[]) => runAdmin(store.env, ...args);
  const manifestOf = async (name: string) => JSON.parse(await readFile(path.join(folder, name, MANIFEST), 'utf8'));

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-backups-'));
    store = await makeStore();
    empty = await makeStore({ isBare: true });
    // The same all the time, because it is part of short links.
    port = await freePort();
    child = await startChild(port, { ...store.env, ...SETTINGS });
    key = child.secretKey;
    receiver = await furnish(child);
  });
  after(async () => {
    await child?.kill();
    await receiver?.close();
    await store?.remove();
    await empty?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it('copies a store that is being written to, with every click in the journal or in the store', async () => {
    const work = startWork(child, 'first');
    await until(() => work.answered() > 50 && work.made() > 10, 'clicks and links');
    let [busy, clicksBefore, linksBefore] = ['', 0, 0];
    // A backup of so few rows may be done before the next link is.
    for (let made = 0; work.made() === linksBefore || made === 0; made += 1) {
      [busy, clicksBefore, linksBefore] = [`busy-${made}`, work.answered(), work.made()];
      const { code, error } = await admin('backup', path.join(folder, busy));
      expect(code, error).to.equal(0);
    }
    await work.stop();
    const { counts } = await manifestOf(busy);
    const verified = await admin('verify', path.join(folder, busy));
    expect(verified.code, verified.error).to.equal(0);
    const inJournal = Number(/^(\d+) clicks that are not in the store yet/m.exec(verified.out)?.[1]);
    // A click may be in both: its id makes that harmless. 30 and 2 are those of `furnish`.
    expect(counts.clicks + inJournal).to.be.at.least(clicksBefore + 30);
    expect(counts.links).to.be.at.least(linksBefore + 2);
  });

  it('leaves nothing of that name when it is killed, and the next one clears up', async () => {
    const target = path.join(folder, 'killed');
    for (const delayMs of [0, 40]) {
      const { child: process, ended } = startAdmin(store.env, 'backup', target);
      await until(async () => (await readdir(folder)).some((name) => name.endsWith('.unfinished')), 'its beginning');
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      process.kill('SIGKILL');
      await ended;
      if (existsSync(target)) break;
      const refused = await admin('verify', target);
      expect(refused.error).to.include('is not a whole backup');
    }
    await rm(target, { recursive: true, force: true });
    expect((await startAdmin(store.env, 'backup', target).ended).code).to.equal(0);
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).to.deep.equal([]);
  });

  it('writes files that only their owner can read, and never over something', async () => {
    for (const name of ['', ...(await readdir(path.join(folder, 'killed'), { recursive: true }))])
      expect((await stat(path.join(folder, 'killed', name))).mode & 0o077, name).to.equal(0);
    const again = await admin('backup', path.join(folder, 'killed'));
    expect([again.code, again.error]).to.deep.equal([
      1,
      `${path.join(folder, 'killed')} exists already. Name a folder that does not exist yet.\n`,
    ]);
  });

  it('notices a byte that has changed, a file that is gone and another key', async () => {
    const name = STORE === 'sqlite' ? 'svc.sqlite' : 'svc.dump';
    const damaged = path.join(folder, 'damaged');
    expect((await admin('backup', damaged)).code).to.equal(0);
    const sound = await readFile(path.join(damaged, name));
    const bytes = Buffer.from(sound);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 100) ^ 1, bytes.length - 100);
    await writeFile(path.join(damaged, name), bytes);
    expect((await admin('verify', damaged)).error).to.include(`${name} is not as it was written`);
    expect((await runAdmin(empty.env, 'restore', damaged)).error).to.include(`${name} is not as it was written`);
    await rm(path.join(damaged, name));
    expect((await admin('verify', damaged)).error).to.include(`${name} is missing`);
    await writeFile(path.join(damaged, name), sound);
    expect((await admin('verify', damaged)).code).to.equal(0);
    if (STORE === 'sqlite') return;
    const other = await runAdmin({ ...store.env, SECRET_KEY: 'x'.repeat(40) }, 'verify', damaged);
    expect(other.error).to.include('cannot be decrypted with the key that belongs to this backup');
  });

  it('restores what an owner reads, into an empty place and over another store', async () => {
    expect((await admin('restore', path.join(folder, 'killed'))).error).to.match(/in use|connected to this database/);
    await settle(apiOf(child.origin, key));
    const expected = await readEverything(apiOf(child.origin, key));
    await child.terminate();
    const before = path.join(folder, 'before');
    expect((await admin('backup', before)).code).to.equal(0);
    const { pending } = await manifestOf('before');
    // Deliveries to the receiver that answers 500.
    expect(pending.deliveries).to.be.greaterThan(0);
    const expectSame = async () => {
      const found = await readEverything(apiOf(child.origin, key));
      for (const [what, value] of Object.entries(expected)) expect(found[what], what).to.deep.equal(value);
    };
    // What it is restored over is another store by then.
    await askStore(store, "UPDATE links SET title = 'later'");

    const { code, out, error } = await runAdmin(empty.env, 'restore', before);
    expect(code, error).to.equal(0);
    expect(out)
      .to.include(`${pending.deliveries} webhook deliveries`)
      .and.to.include('Stored secrets can be decrypted');
    child = await startChild(port, { ...empty.env, ...SETTINGS });
    await expectSame();
    await child.terminate();

    expect((await admin('restore', before)).error).to.include('With --replace');
    const replaced = await admin('restore', before, '--replace');
    expect(replaced.code, replaced.error).to.equal(0);
    expect(replaced.out).to.include('The former store was moved to');
    child = await startChild(port, { ...store.env, ...SETTINGS });
    await expectSame();
    // The next backup has nothing of what was moved aside.
    expect((await admin('backup', path.join(folder, 'after'))).code).to.equal(0);
    expect((await admin('verify', path.join(folder, 'after'))).code).to.equal(0);
  });

  it('does not start on half of a store, until the restore was run again', async function () {
    if (STORE !== 'sqlite') return this.skip();
    await child.terminate();
    // What a kill leaves between two names: the key is in its place, and the store is not.
    await mkdir(path.join(empty.dataDir, 'restoring'));
    await rename(path.join(empty.dataDir, 'svc.sqlite'), path.join(empty.dataDir, 'restoring', 'svc.sqlite'));
    const refusal = await startChild(port, { ...empty.env, ...SETTINGS }).then(
      (started) => started.kill(),
      (error: Error) => error.message,
    );
    expect(refusal).to.include('was interrupted. Run it again');
    expect((await runAdmin(empty.env, 'list-teams')).error).to.include('was interrupted. Run it again');
    expect(existsSync(path.join(empty.dataDir, 'svc.sqlite'))).to.equal(false);
    const again = await runAdmin(empty.env, 'restore', path.join(folder, 'before'));
    expect(again.code, again.error).to.equal(0);
    child = await startChild(port, { ...empty.env, ...SETTINGS });
    expect((await apiOf(child.origin, key)('GET', '/links')).status).to.equal(200);
  });
});
