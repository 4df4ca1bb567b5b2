// plays, stores: each
import { expect } from 'chai';
import { runAdmin, startAdmin } from '../support/admin.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';

describe('with MIGRATE=off', () => {
  let store: Store;
  let child: Child | null = null;
  before(async () => {
    store = await makeStore({ isBare: true });
  });
  after(async () => {
    await child?.kill();
    await store.remove();
  });

  it('a process ends on a store without tables, and starts when the command has made them', async function () {
    this.timeout(600_000);
    const env = { ...store.env, MIGRATE: 'off' };
    const refused = await startChild(await freePort(), env)
      .then(() => 'it started')
      .catch((error: Error) => error.message);
    expect(refused).to.match(/Ended with 1 .*\n.*The store lacks migrations \(0001-first-tables, .* more\)/);
    expect(refused).to.include('Run npm run admin -- migrate');
    // The embedded store admits one process.
    const results = await Promise.all(
      (STORE === 'postgres' ? [1, 2] : [1]).map(() => startAdmin(env, 'migrate').ended),
    );
    for (const { code, out, error } of results) expect(code, `${out}${error}`).to.equal(0);
    expect(
      results.map(({ out }) => out.split('\n').filter((line) => line === '  0001-first-tables').length),
    ).to.include(1);
    child = await startChild(await freePort(), env);
    // While a product runs on the embedded store, the command is one of that product: see admin.test.ts.
    if (STORE !== 'postgres') return;
    const again = await runAdmin(store.env, 'migrate');
    expect(again.out).to.equal('The store is up to date.\n');
  });
});
