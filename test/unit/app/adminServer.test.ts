// stores: none
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { serveAdmin } from '../../../app/admin/adminServer.ts';
import { type AdminCommand, WrongArguments } from '../../../app/admin/commands/AdminCommand.ts';
import { MAX_CALL_BYTES } from '../../../app/admin/protocol.ts';
import { findRunningProduct, type RunningProduct } from '../../../app/admin/runningProduct.ts';
import { guardDataDir } from '../../../src/db/dataDir.ts';
import { log } from '../../../src/kernel/log.ts';
import { VERSION } from '../../../src/kernel/version.ts';
import { until } from '../../support/until.ts';

/** What the commands below have seen. */
let seen: unknown[] = [];

const command = (name: string, run: AdminCommand['run'], more: Partial<AdminCommand> = {}): AdminCommand => ({
  name,
  usage: 'WORD…',
  about: 'is of these tests',
  run,
  ...more,
});

const COMMANDS: AdminCommand[] = [
  command('say', async (words, { folder, given }) => {
    seen.push({ folder, given });
    if (words.length === 0) throw new WrongArguments();
    return words.join(' ');
  }),
  command('fail', async () => {
    throw new Error('It cannot be done.');
  }),
  // As long commands do, it looks at the signal between its parts.
  command(
    'work',
    async (_, { signal, showProgress }) => {
      for (let part = 1; ; part += 1) {
        signal.throwIfAborted();
        showProgress(`part ${part}`);
        await delay(5);
      }
    },
    { isLong: true },
  ),
  command('finish', async (_, { signal }) => {
    seen.push('begun');
    if (!signal.aborted) await once(signal, 'abort');
    seen.push('finished');
    return 'finished all the same';
  }),
  command('flood', async (_, { print }) => {
    const line = 'x'.repeat(64 * 1024);
    for (let at = 0; ; at += 1) {
      seen.push(at);
      await print(line);
    }
  }),
  command('replace', async () => 'done', { needs: 'stopped' }),
];

describe('Admin commands in the running product', () => {
  let folder: string;
  let dataDir: string;
  let stops: (() => Promise<void>)[];
  let umask: number;
  const level = log.level;

  before(() => {
    log.level = 'silent';
    umask = process.umask();
  });
  after(() => {
    log.level = level;
    process.umask(umask);
  });
  beforeEach(async () => {
    seen = [];
    stops = [];
    folder = await mkdtemp(path.join(tmpdir(), 'svc-test-'));
    dataDir = path.join(folder, 'data');
    await guardDataDir(dataDir);
  });
  afterEach(async () => {
    for (const stop of stops) await stop();
    await rm(folder, { recursive: true, force: true });
  });

  const serve = async (dir = dataDir) => {
    const options = { lent: { jobStore: { executeSql: async () => ({ rows: [] }) } }, explain: () => null };
    const server = await serveAdmin(dir, { ...options, commands: COMMANDS });
    stops.push(server.stop);
    return server;
  };
  const product = async (dir = dataDir): Promise<RunningProduct> => {
    const found = await findRunningProduct(dir);
    if (!found) throw new Error('nothing listens');
    stops.unshift(async () => found.close());
    return found;
  };
  const run = async (running: RunningProduct, name: string, ...args: string[]) => {
    const lines: string[] = [];
    const progress: string[] = [];
    const output = { print: (text: string) => lines.push(text), showProgress: (line: string) => progress.push(line) };
    const call = { name, args, folder: '/somewhere', given: { setting: 'x' } };
    const error = await running.run(call, output).then(
      () => null,
      (thrown: Error) => thrown.message,
    );
    return { lines, progress, error };
  };
  /** What a program that is not ours gets back. */
  const raw = async (...lines: string[]) => {
    const socket = connect(path.join(dataDir, 'admin.sock')).setEncoding('utf8');
    let answer = '';
    socket.on('data', (text) => (answer += text));
    socket.on('error', () => {});
    for (const line of lines) socket.write(line);
    await once(socket, 'close');
    return answer.split('\n').map((line) => JSON.parse(line || 'null'));
  };

  it('runs them with the folder and the settings of the caller, and returns output and errors', async () => {
    await serve();
    expect((await product()).pid).to.equal(process.pid);
    expect(await run(await product(), 'say', 'hello', 'wörld')).to.deep.include({
      lines: ['hello wörld'],
      error: null,
    });
    expect(seen).to.deep.equal([{ folder: '/somewhere', given: { setting: 'x' } }]);
    expect((await run(await product(), 'say')).error).to.match(/^Usage:\n {2}npm run admin -- say WORD…\n/);
    expect((await run(await product(), 'fail')).error).to.equal('It cannot be done.');
    for (const name of ['nothing', 'replace'])
      expect((await run(await product(), name)).error).to.equal(`A running product has no command ${name}.`);
  });

  it('finds nobody where nothing listens, also where a killed process left its socket', async () => {
    expect(await findRunningProduct(dataDir)).to.equal(null);
    expect(await findRunningProduct(path.join(dataDir, 'nowhere'))).to.equal(null);
    const { stop } = await serve();
    await stop();
    expect(await readdir(dataDir)).to.deep.equal([]);
    for (const left of ['a socket', 'a file']) {
      if (left === 'a file') await writeFile(path.join(dataDir, 'admin.sock'), 'x');
      else leaveSocket(path.join(dataDir, 'admin.sock'));
      expect(await findRunningProduct(dataDir), left).to.equal(null);
      const server = await serve();
      expect(await run(await product(), 'say', left)).to.deep.include({ lines: [left] });
      await server.stop();
    }
  });

  it('lets this user alone connect', async () => {
    await serve();
    expect((await stat(path.join(dataDir, 'admin.sock'))).mode & 0o777).to.equal(0o600);
    if (process.getuid?.() === 0) return;
    await chmod(path.join(dataDir, 'admin.sock'), 0);
    expect(await findRunningProduct(dataDir).catch(({ message }) => message)).to.include('as the user of the product');
  });

  it('listens in folders with long names and through links', async () => {
    const long = path.join(folder, 'long'.repeat(30), 'folder'.repeat(30));
    await mkdir(long, { recursive: true });
    const linked = path.join(folder, 'linked');
    await symlink(long, linked);
    const { stop } = await serve(long);
    expect((await stat(path.join(long, 'admin.sock'))).isSocket()).to.equal(true);
    for (const dir of [long, linked, path.relative(process.cwd(), long)])
      expect(await run(await product(dir), 'say', 'hello'), dir).to.deep.include({ lines: ['hello'] });
    await stop();
    expect(await readdir(long)).to.deep.equal([]);
    expect(await findRunningProduct(long)).to.equal(null);
  });

  it('does not end the product where no socket can be made', async () => {
    await mkdir(path.join(dataDir, 'admin.sock', 'taken'), { recursive: true });
    const { stop } = await serve();
    await stop();
  });

  it('runs several at once, but each long one once', async () => {
    await serve();
    const [first, second, third] = [await product(), await product(), await product()];
    const working = run(first, 'work');
    const finishing = run(third, 'finish');
    await until(async () => seen.includes('begun'), 'the other command');
    expect((await run(second, 'work')).error).to.equal('work is running already. Wait for its end.');
    expect((await run(await product(), 'say', 'quick')).lines).to.deep.equal(['quick']);
    for (const running of [first, third]) running.cancel();
    expect(await working).to.deep.include({
      error: 'Cancelled. work ended early. What it did stays; run it again to go on.',
    });
    // What cannot end early says what became of it.
    expect(await finishing).to.deep.include({ lines: ['finished all the same'], error: null });
    expect((await working).progress.slice(0, 2)).to.deep.equal(['part 1', 'part 2']);
  });

  it('ends what can end early when the caller is gone', async () => {
    await serve();
    const caller = await product();
    const lost = run(caller, 'finish');
    await until(async () => seen.includes('begun'), 'the command');
    caller.close();
    expect((await lost).error).to.equal('The product ended before finish did. What finish did stays; run it again.');
    await until(async () => seen.includes('finished'), 'its end');
    const again = await product();
    const working = run(again, 'work');
    again.close();
    await working;
    await until(async () => {
      const next = await product();
      const running = run(next, 'work');
      next.cancel();
      return (await running).error?.startsWith('Cancelled') ?? false;
    }, 'the end of the first');
  });

  it('waits for callers that read slowly, and for none when the product stops', async () => {
    const { stop } = await serve();
    const slow = connect(path.join(dataDir, 'admin.sock')).pause();
    slow.write(`${JSON.stringify({ version: VERSION, name: 'flood', args: [], folder: '/', given: {} })}\n`);
    await until(async () => seen.length > 0, 'the first line');
    let before = -1;
    await until(async () => {
      const isStill = seen.length === before;
      before = seen.length;
      return isStill;
    }, 'the pause');
    expect(seen.length).to.be.lessThan(100);
    await stop();
    slow.destroy();
  });

  it('ends commands when the product stops, says so, and takes no more', async () => {
    const { stop } = await serve();
    const working = run(await product(), 'work');
    const finishing = run(await product(), 'finish');
    const idle = await product();
    await until(async () => seen.includes('begun'), 'the command');
    await stop();
    expect((await working).error).to.match(/^The product is stopping\. work ended early\./);
    expect(await finishing).to.deep.include({ lines: ['finished all the same'], error: null });
    expect((await run(idle, 'say', 'x')).error).to.include('The product ended before say did.');
    expect(await findRunningProduct(dataDir)).to.equal(null);
  });

  it('refuses callers of another version with what to do', async () => {
    await serve();
    const call = { name: 'say', args: ['x'], folder: '/', given: {} };
    const [hello, end] = await raw(`${JSON.stringify({ ...call, version: '0.0.1' })}\n`);
    expect(hello).to.deep.equal({ product: 'svc', version: VERSION, pid: process.pid });
    expect(end.end.error).to.equal(
      `The running product (process ${process.pid}) is of version ${VERSION}, and this command of 0.0.1. Restart the product, so that both are the same.`,
    );
    expect(seen).to.deep.equal([]);
  });

  it('says so when it talks to a product of another version, or to one that hangs', async () => {
    const file = path.join(dataDir, 'admin.sock');
    let hello = `${JSON.stringify({ product: 'svc', version: '9.9.9', pid: 7 })}\n`;
    const other = createServer((socket) => socket.on('error', () => {}).write(hello)).listen(file);
    await once(other, 'listening');
    stops.push(() => new Promise((resolve) => other.close(() => resolve())));
    expect((await run(await product(), 'say', 'x')).error).to.match(/\(process 7\) is of version 9\.9\.9, and this/);
    hello = '';
    const error = await findRunningProduct(dataDir, 50).catch(({ message }) => message);
    expect(error).to.match(/^The product that runs on DATA_DIR .* did not answer within 0.05 seconds: it hangs/);
  });

  it('bounds what it reads, and survives what is not a call', async () => {
    await serve();
    const tooLong = (await run(await product(), 'say', 'x'.repeat(MAX_CALL_BYTES))).error;
    expect(tooLong).to.equal('The arguments are too long.');
    const answers = [await raw(`"${'x'.repeat(MAX_CALL_BYTES)}`), await raw('GET / HTTP/1.1\r\n\r\n')];
    expect(answers.map(([, end]) => end?.end.error)).to.deep.equal([
      `A call has at most ${MAX_CALL_BYTES} bytes.`,
      'This is not a call of npm run admin.',
    ]);
    for (const odd of ['null\n', '1\n', '"text"\n', '[]\n', '{}\n', `{"version":"${VERSION}","name":"say"}\n`])
      expect((await raw(odd)).at(-2)?.end.error, odd).to.be.a('string');
    expect((await run(await product(), 'say', 'still', 'there')).lines).to.deep.equal(['still there']);
  });
});

/** A socket without a process, as kill -9 leaves it. */
function leaveSocket(file: string): void {
  const script = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['--eval', script, file]);
}
