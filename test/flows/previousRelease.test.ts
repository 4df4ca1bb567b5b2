// plays, stores: postgres
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { apiOf } from '../support/api.ts';
import { storedClicks } from '../support/askStore.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { followOn } from '../support/followOn.ts';
import { checkOutPreviousRelease, hasPreviousRelease, PREVIOUS_RELEASE } from '../support/previousRelease.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';

const LINK_DOMAIN = 'go.example.com';

describe('a process of the release before, on a store that this version has migrated', () => {
  let store: Store;
  let folder: string;
  let ours: Child;
  let theirs: Child;
  let release: Awaited<ReturnType<typeof checkOutPreviousRelease>>;

  before(async function () {
    this.timeout(600_000);
    // The embedded store has one process, so that nothing rolls there.
    if (STORE !== 'postgres') this.skip();
    if (!(await hasPreviousRelease())) {
      process.stdout.write(`    skipped: the history has no commit ${PREVIOUS_RELEASE}, as in a shallow clone\n`);
      this.skip();
    }
    store = await makeStore();
    folder = await mkdtemp(path.join(tmpdir(), 'svc-test-'));
    release = await checkOutPreviousRelease();
    ours = await startChild(await freePort(), { ...store.env, LINK_DOMAIN });
    theirs = await release.start(await freePort(), { ...store.env, LINK_DOMAIN, DATA_DIR: folder });
  });
  after(async () => {
    await ours?.kill();
    await theirs?.kill();
    await release?.remove();
    await store?.remove();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const make = async (child: Child, slug: string) => {
    const api = apiOf(child.origin, ours.secretKey);
    expect((await api('POST', '/links', { destination: `https://example.com/${slug}`, slug })).status).to.equal(201);
  };
  it('starts, and both follow what the other one has made, change it, and count every click', async function () {
    this.timeout(600_000);
    await make(ours, 'from-ours');
    await make(theirs, 'from-before');
    for (const slug of ['from-ours', 'from-before']) {
      for (const child of [ours, theirs]) {
        await until(async () => (await followOn(child, LINK_DOMAIN, slug)).status === 302, `${slug} to be followed`);
      }
    }
    await until(async () => (await storedClicks(store)) === 4, 'all four clicks in the store', 20_000);
    for (const child of [ours, theirs]) {
      const figures = async () => (await apiOf(child.origin, ours.secretKey)('GET', '/analytics?traffic=all')).body;
      await until(async () => (await figures()).total.count === 4, 'all four clicks in analytics', 20_000);
    }
  });
});
