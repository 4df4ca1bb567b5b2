// stores: none
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { inRoot } from '../support/root.ts';
import { until } from '../support/until.ts';

/** Two steps in a folder of their own: `copy` makes b from a, `count` makes c from b. Each notes that it ran. */
const TABLE = `[
  { name: 'copy', inputs: ['a', '!a/left'], outputs: ['b.txt'], run: [['copy.mjs']] },
  { name: 'count', after: ['copy'], inputs: ['b.txt'], outputs: ['c.txt'], run: [['count.mjs']] },
  { name: 'fail', onlyIfAsked: true, inputs: ['a'], run: [['fail.mjs']] },
  { name: 'later', onlyIfAsked: true, after: ['fail'], inputs: ['a'], run: [['copy.mjs']] },
]`;
const PROGRAMS = {
  'copy.mjs': `import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
    appendFileSync('ran.txt', 'copy\\n');
    writeFileSync('b.txt', 'half');
    while (existsSync('wait')) await new Promise((resolve) => setTimeout(resolve, 20));
    writeFileSync('b.txt', readFileSync('a/text.txt', 'utf8').trim());`,
  'count.mjs': `import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
    appendFileSync('ran.txt', 'count\\n');
    writeFileSync('c.txt', String(readFileSync('b.txt', 'utf8').length));`,
  'fail.mjs': 'process.exit(1);',
  'build.mjs': `import { runSteps } from ${JSON.stringify(inRoot('scripts/steps/runSteps.mjs'))};
    const failed = await runSteps(${TABLE}, { names: process.argv.slice(2), ledger: 'made/ledger.json', tell: () => {} });
    process.stdout.write(failed.join());`,
};

describe('Steps of a build', () => {
  let folder: string;
  const started: ChildProcess[] = [];

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'svc-steps-'));
    mkdirSync(path.join(folder, 'a'));
    write('a/text.txt', 'one');
    for (const [file, text] of Object.entries(PROGRAMS)) write(file, text);
  });
  afterEach(() => {
    for (const child of started.splice(0)) if (child.exitCode === null && child.signalCode === null) killGroup(child);
    rmSync(folder, { recursive: true, force: true });
  });

  const place = (file: string) => path.join(folder, file);
  const write = (file: string, text: string) => writeFileSync(place(file), text);
  const read = (file: string) => readFileSync(place(file), 'utf8');
  const ran = () => (existsSync(place('ran.txt')) ? read('ran.txt').trim().split('\n') : []);

  const start = (...names: string[]) => {
    // In a group of its own, so that what it started can be killed with it.
    const child = spawn(process.execPath, ['build.mjs', ...names], { cwd: folder, detached: true });
    started.push(child);
    return child;
  };
  const killGroup = ({ pid = 0 }: ChildProcess) => process.kill(-pid, 'SIGKILL');

  /** What did not end well. */
  const build = async (...names: string[]) => {
    const child = start(...names);
    let printed = '';
    child.stdout.on('data', (text) => {
      printed += text;
    });
    await once(child, 'close');
    return printed;
  };

  it('run once, and not again while nothing changes, whatever the times of files say', async () => {
    await build();
    utimesSync(place('a/text.txt'), new Date(), new Date());
    write('a/left', 'is not an input');
    await build();
    expect([ran(), read('c.txt')]).to.deep.equal([['copy', 'count'], '3']);
  });

  it('run again when an input is changed, added or deleted, and those behind only if what they read is another', async () => {
    await build();
    write('a/text.txt', 'three');
    await build();
    expect([ran(), read('c.txt')]).to.deep.equal([['copy', 'count', 'copy', 'count'], '5']);
    write('a/more.txt', '');
    await build();
    rmSync(place('a/more.txt'));
    await build();
    expect(ran().slice(4)).to.deep.equal(['copy', 'copy']);
  });

  it('run again when what they made is gone or was edited', async () => {
    await build();
    rmSync(place('c.txt'));
    await build();
    write('b.txt', 'by hand');
    await build();
    expect([ran(), read('b.txt'), read('c.txt')]).to.deep.equal([['copy', 'count', 'count', 'copy'], 'one', '3']);
  });

  it('do not count as done when they fail, and what comes after them is left out', async () => {
    expect([await build('later'), await build('later')]).to.deep.equal(['fail,later', 'fail,later']);
    expect(ran()).to.deep.equal([]);
  });

  it('do not count as done when the build is killed in the middle, and the next one does not wait for the dead', async () => {
    await build();
    write('a/text.txt', 'seven');
    write('wait', '');
    const child = start();
    await until(() => read('b.txt') === 'half', 'the step to be in its middle');
    killGroup(child);
    await once(child, 'close');
    rmSync(place('wait'));
    write('a/text.txt', 'one');
    await build();
    expect([read('b.txt'), read('c.txt')]).to.deep.equal(['one', '3']);
  });

  it('run once when two builds start together: one waits, and finds everything done', async () => {
    write('wait', '');
    const builds = [build(), build()];
    await until(() => ran().length > 0, 'one of them to begin');
    rmSync(place('wait'));
    expect(await Promise.all(builds)).to.deep.equal(['', '']);
    expect([ran(), read('c.txt')]).to.deep.equal([['copy', 'count'], '3']);
  });
});
