// plays, stores: postgres
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { SqliteFile } from '../../src/db/connection/SqliteFile.ts';
import { countRows, postgresStore, type RowCounts, sqliteStore } from '../../src/db/tables.ts';
import { runAdmin, startAdmin } from '../support/admin.ts';
import { AGENTS } from '../support/agents.ts';
import { type Api, apiOf } from '../support/api.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { copyEmbeddedStores } from '../support/emptyStores.ts';
import { furnish, readEverything, settle } from '../support/loadedProduct.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';

/** Clicks stay in the journal until somebody asks for figures. */
const SETTINGS = { RATE_LIMIT_PER_MINUTE: '100000', CLICK_DRAIN_MILLISECONDS: '600000' };
/** Clicks that are in the journal when the process is killed. */
const WAITING = 20;

describe('npm run admin -- move-to-postgres', function () {
  this.timeout(600_000);
  let dataDir: string;
  let target: Store;
  let child: Child;
  let receiver: { close(): Promise<void> };
  let api: Api;
  let port: number;

  const url = () => String(target.env.DATABASE_URL);
  const move = () => runAdmin({ DATA_DIR: dataDir }, 'move-to-postgres', url());
  const inTarget = async (): Promise<RowCounts> => {
    const client = new pg.Client({ connectionString: url() });
    await client.connect();
    return countRows(postgresStore(client)).finally(() => client.end());
  };
  const secrets = async () => {
    const { data } = (await api('GET', '/webhooks')).body;
    return Promise.all(
      data.map(async ({ id }: { id: string }) => (await api('GET', `/webhooks/${id}/secret`)).body.secret),
    );
  };

  before(async function () {
    // It needs both stores.
    if (STORE !== 'postgres') return this.skip();
    dataDir = await mkdtemp(path.join(tmpdir(), 'svc-move-'));
    await copyEmbeddedStores(dataDir, { hasJobs: true });
    target = await makeStore({ isBare: true });
    port = await freePort();
    child = await startChild(port, { DATA_DIR: dataDir, ...SETTINGS });
    api = apiOf(child.origin, child.secretKey);
    receiver = await furnish(child);
  });
  after(async () => {
    await child?.kill();
    await receiver?.close();
    await target?.remove();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  });

  it('moves everything, also after it was killed, and the product goes on there', async () => {
    expect((await move()).error).to.match(/DATA_DIR .* is in use/);
    await settle(api);
    const [expected, sealed] = [await readEverything(api), await secrets()];
    for (let at = 0; at < WAITING; at += 1) {
      await fetch(`${child.origin}/first`, { redirect: 'manual', headers: { 'User-Agent': AGENTS.human } });
    }
    await child.kill();

    const { child: killed, ended } = startAdmin({ DATA_DIR: dataDir }, 'move-to-postgres', url());
    killed.stderr?.on('data', (chunk) => String(chunk).includes('deliveries') && killed.kill('SIGKILL'));
    expect((await ended).code).to.equal(null);
    const { migrations, migration_steps, ...others } = await inTarget();
    expect(migrations).to.be.greaterThan(0);
    expect(migration_steps).to.be.greaterThan(0);
    for (const [table, count] of Object.entries(others)) expect(count, table).to.equal(0);

    const moved = await startAdmin({ DATA_DIR: dataDir }, 'move-to-postgres', url()).ended;
    expect(moved.code, moved.error).to.equal(0);
    expect(moved.out).to.include(`the content of ${path.join(dataDir, 'secret.key')}`);
    const key = (await readFile(path.join(dataDir, 'secret.key'), 'utf8')).trim();
    expect(moved.out + moved.error).to.not.include(key);
    const file = await SqliteFile.open(path.join(dataDir, 'svc.sqlite'), { isReadOnly: true });
    expect(await inTarget()).to.deep.equal(await countRows(sqliteStore(file)));
    await file.close();

    child = await startChild(port, { DATA_DIR: dataDir, DATABASE_URL: url(), SECRET_KEY: key, ...SETTINGS });
    await until(async () => (await api('GET', '/analytics')).body.total.count === 30 + WAITING, 'the clicks');
    const found = await readEverything(api);
    const isOfClicks = (what: string) => what.startsWith('/analytics?group_by') || what.startsWith('/links');
    for (const what of Object.keys(expected).filter((name) => !isOfClicks(name)))
      expect(found[what], what).to.deep.equal(expected[what]);
    const slugs = (all: Record<string, unknown>) =>
      (all['/links?limit=100'] as { data: { clicks: number }[] }).data.map(
        ({ clicks: _, last_clicked_at: __, ...link }: Record<string, unknown>) => link,
      );
    expect(slugs(found)).to.deep.equal(slugs(expected));
    expect(await secrets()).to.deep.equal(sealed);
    expect((await api('POST', '/links', { destination: 'https://www.example.com/' })).status).to.equal(201);
  });

  it('writes into no database that has rows, and asks for a URL', async () => {
    const copy = await mkdtemp(path.join(tmpdir(), 'svc-move-'));
    await copyFile(path.join(dataDir, 'svc.sqlite'), path.join(copy, 'svc.sqlite'));
    const beside = await runAdmin({ DATA_DIR: copy }, 'move-to-postgres', url());
    await rm(copy, { recursive: true });
    expect(beside.error).to.include('connected to this database');
    await child.terminate();
    expect((await move()).error).to.match(/The database is in use: \w+ has rows/);
    expect((await runAdmin({ DATA_DIR: dataDir }, 'move-to-postgres', 'mysql://x')).error).to.include('URL');
    const nowhere = await runAdmin({ DATA_DIR: path.join(dataDir, 'nowhere') }, 'move-to-postgres', url());
    expect(nowhere.error).to.include('There is no store in DATA_DIR');
  });
});
