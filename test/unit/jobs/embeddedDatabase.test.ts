// stores: none

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../../../jobs/embeddedDatabase.ts';
import { loadConfig } from '../../../src/kernel/config.ts';
import { PROCESS_ENV } from '../../support/child.ts';

/** What a process of its own imports: TypeScript, or what the tests were compiled to. */
const MODULE = new URL(`../../../jobs/embeddedDatabase${path.extname(import.meta.url)}`, import.meta.url).href;

describe('the embedded job store', () => {
  let folder: string;
  let database: EmbeddedDatabase;
  const threads: Worker[] = [];
  const keep = (thread: Worker) => threads.push(thread);

  before(async () => {
    loadConfig({ LOG_LEVEL: 'silent' });
    folder = await mkdtemp(path.join(tmpdir(), 'svc-jobs-'));
    process.on('worker', keep);
    database = await openEmbeddedDatabase(folder);
  });
  after(async () => {
    process.off('worker', keep);
    await database?.close();
    await rm(folder, { recursive: true });
  });

  it('is opened again, once, after its thread has ended, and has what was committed', async () => {
    await database.executeSql('CREATE TABLE kept AS SELECT 1 AS value');
    const waiting = database.executeSql('SELECT pg_sleep(60)').then(
      () => 'answered',
      (error: Error) => error.message,
    );
    await threads[0]?.terminate();
    expect(await waiting).to.equal('The job store has ended');
    const read = async () => (await database.executeSql('SELECT value FROM kept')).rows;
    expect(await Promise.all([read(), read()])).to.deep.equal([[{ value: 1 }], [{ value: 1 }]]);
    expect(threads).to.have.length(2);
  });

  it('keeps V8 from freeing WebAssembly code, which was seen to end the process', async () => {
    const traced = await mkdtemp(path.join(folder, 'traced-'));
    const program = `import(${JSON.stringify(MODULE)}).then(async ({ openEmbeddedDatabase }) => {
      const database = await openEmbeddedDatabase(${JSON.stringify(traced)});
      for (let n = 0; n < 20; n += 1) await database.executeSql('SELECT ' + n);
      await database.close();
      console.log('closed');
    })`;
    const flags = ['--trace-wasm-code-gc', '--stress-wasm-code-gc'];
    const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, ...flags, '--eval', program], {
      env: PROCESS_ENV,
    });
    expect(stdout).to.equal('closed\n');
  });

  it('is not opened again after it was closed', async () => {
    await database.close();
    const failed = await database.executeSql('SELECT 1').catch((error: Error) => error.message);
    expect(failed).to.equal('The job store has ended');
    expect(threads).to.have.length(2);
  });
});
