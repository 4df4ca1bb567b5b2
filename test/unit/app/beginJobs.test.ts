// stores: any
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { type BegunJobs, beginJobs } from '../../../app/beginJobs.ts';
import { config } from '../../../src/kernel/config.ts';
import { mountSmallDisk } from '../../support/smallDisk.ts';
import { type OpenStore, openStore } from '../../support/store.ts';
import { STORE } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

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
    const jobs = beginJobs({ ...config, dataDir: store.dataDir });
    await jobs.stop();
    const ended = await jobs.store.executeSql('SELECT 1').catch((error: Error) => error.message);
    expect(ended).to.equal('The job store has ended');
  });

  it('say what keeps them from starting before the product is ready, and stop all the same', async () => {
    const jobs = beginJobs({ ...config, dataDir: await aFile() });
    const failed = await untilFailed(jobs);
    expect(failed).to.be.instanceOf(Error);
    expect(await jobs.ready().catch((error: unknown) => error)).to.equal(failed);
    await jobs.stop();
  });

  it('are tried again once the product is ready, until they start or the process stops', async () => {
    const file = await aFile();
    const jobs = beginJobs({ ...config, dataDir: file });
    const others = beginJobs({ ...config, dataDir: file });
    await Promise.all([jobs.ready(), others.ready()]);
    await Promise.all([untilFailed(jobs), untilFailed(others)]);
    await others.stop();
    await rm(file);
    await mkdir(file);
    await until(() => untilRead(jobs), 'the jobs to start');
    await jobs.stop();
  });

  it('wait for room on a full disk, whether the product is ready or not', async function () {
    const folder = path.join(store.dataDir, 'small');
    const disk = await mountSmallDisk(folder, 60);
    if (!disk) return this.skip();
    try {
      disk.fill(15e6);
      const jobs = beginJobs({ ...config, dataDir: folder });
      expect(await untilFailed(jobs)).to.have.property('code', 'ENOSPC');
      expect(await readdir(folder), 'nothing half copied').to.deep.equal(['filling']);
      await jobs.ready();
      await disk.makeRoom();
      await until(() => untilRead(jobs), 'the jobs to start');
      await jobs.stop();
    } finally {
      await disk.remove();
    }
  });

  /** Where there should be a folder. */
  const aFile = async () => {
    const file = path.join(await mkdtemp(path.join(store.dataDir, 'other-')), 'file');
    await writeFile(file, '');
    return file;
  };
});

/** What the first attempt failed with. */
const untilFailed = (jobs: BegunJobs) => jobs.store.executeSql('SELECT 1').then(String, (error: unknown) => error);

const untilRead = (jobs: BegunJobs) =>
  jobs.store.executeSql('SELECT 1').then(
    () => true,
    () => false,
  );
