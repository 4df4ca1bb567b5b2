// stores: any
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { beginJobs } from '../../../app/beginJobs.ts';
import { config } from '../../../src/kernel/config.ts';
import { type OpenStore, openStore } from '../../support/store.ts';
import { STORE } from '../../support/stores.ts';

describe('jobs whose embedded store opens while the product is ready', () => {
  let store: OpenStore;

  before(async function () {
    if (STORE === 'postgres') this.skip();
    store = await openStore();
  });
  after(() => store?.close());

  it('do not keep the product from being ready, and are read when they are there', async () => {
    const jobs = beginJobs({ ...config, dataDir: store.dataDir });
    let isOpen = false;
    const read = jobs.store.executeSql('SELECT name FROM pgboss.queue').then(({ rows }) => {
      isOpen = true;
      return rows;
    });
    await jobs.ready();
    expect(isOpen).to.equal(false);
    expect(await read).to.deep.include({ name: 'sendMails' });
    await jobs.stop();
  });

  it('are stopped in the middle of their start', async () => {
    const faults: unknown[] = [];
    const jobs = beginJobs({ ...config, dataDir: store.dataDir });
    jobs.onFault((error) => faults.push(error));
    await jobs.stop();
    expect(faults).to.deep.equal([]);
    const ended = await jobs.store.executeSql('SELECT 1').catch((error: Error) => error.message);
    expect(ended).to.equal('The job store has ended');
  });

  it('say what keeps them from starting, and stop all the same', async () => {
    const file = path.join(store.dataDir, 'file');
    await writeFile(file, '');
    const jobs = beginJobs({ ...config, dataDir: file });
    const fault = await new Promise((resolve) => jobs.onFault(resolve));
    expect(fault).to.be.instanceOf(Error);
    expect(await jobs.ready().catch((error: unknown) => error)).to.equal(fault);
    await jobs.stop();
  });
});
