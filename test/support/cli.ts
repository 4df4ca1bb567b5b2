import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { until } from './until.ts';

/** The command line as customers have it, built as `npm run build` does. */
export const SVC = path.resolve('dist/packages/cli/dist/svc.cjs');
const GOLDEN = path.resolve('test/contract/cli/golden');

/** How a command ended. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  input?: string;
  cwd?: string;
}

/** A person with a home folder of their own, at a shell. */
export interface Shell {
  home: string;
  env: Record<string, string>;
  /** Runs `svc` with pipes, as scripts do. */
  svc(args: string[], options?: RunOptions): Promise<Ended>;
  /** Runs a shell command in a terminal of so many columns. */
  terminal(command: string, options?: { columns?: number; env?: Record<string, string> }): Terminal;
}

/** A pseudo-terminal in which a command runs. */
export interface Terminal {
  child: ChildProcess;
  /** Everything that was shown until now. */
  shown(): string;
  type(keys: string): void;
  /** Waits until the terminal shows this. */
  shows(pattern: RegExp): Promise<void>;
  /** Waits for the end. */
  ended(): Promise<{ code: number | null; shown: string }>;
}

/** A shell for the tests of this block: with `svc` on its path, and nothing of who runs the tests. */
export function useShell(): Shell {
  const shell = {} as Shell;
  before(() => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs', 'cli'], { encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
    const home = mkdtempSync(path.join(tmpdir(), 'svc-cli-'));
    mkdirSync(path.join(home, 'bin'));
    writeFileSync(path.join(home, 'bin/svc'), `#!/bin/sh\nexec '${process.execPath}' '${SVC}' "$@"\n`, { mode: 0o755 });
    const env = { HOME: home, PATH: `${home}/bin:/usr/local/bin:/usr/bin:/bin`, LANG: 'C.UTF-8', TERM: 'xterm' };
    Object.assign(shell, {
      home,
      env,
      svc: (args: string[], options: RunOptions = {}) =>
        runSvc(args, { ...options, env: { ...env, ...options.env } }, home),
      terminal: (command: string, { columns = 80, env: more = {} } = {}) =>
        openTerminal(command, columns, { ...env, ...more }, home),
    });
  });
  after(() => rmSync(shell.home, { recursive: true, force: true }));
  return shell;
}

function runSvc(args: string[], { env = {}, input = '', cwd }: RunOptions, home: string): Promise<Ended> {
  const child = spawn(process.execPath, [SVC, ...args], { env, cwd: cwd ?? home });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const ended = { code: null, stdout: '', stderr: '' } as Ended;
  child.stdout.setEncoding('utf8').on('data', (text) => {
    ended.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    ended.stderr += text;
  });
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ ...ended, code }));
  });
}

function openTerminal(command: string, columns: number, env: Record<string, string>, cwd: string): Terminal {
  const child = spawn('script', ['-qec', `stty cols ${columns} rows 24; ${command}`, '/dev/null'], { env, cwd });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    shown += text;
  });
  const end = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    child,
    shown: () => shown,
    type: (keys) => void child.stdin.write(keys),
    shows: async (pattern) => {
      await until(() => pattern.test(shown), `${pattern} in ${JSON.stringify(shown)}`);
    },
    ended: async () => ({ code: await end, shown }),
  };
}

/** Whether this machine has a program; shells and terminals that are missing are left out. */
export function hasProgram(name: string): boolean {
  return spawnSync('which', [name]).status === 0;
}

/** Compares with a file that is read by people before it is committed; UPDATE_GOLDEN=true writes it. */
export function expectGolden(name: string, text: string): void {
  const file = path.join(GOLDEN, `${name}.txt`);
  if (process.env.UPDATE_GOLDEN) {
    mkdirSync(GOLDEN, { recursive: true });
    writeFileSync(file, text);
  }
  expect(existsSync(file), `${file} is missing`).to.equal(true);
  expect(text).to.equal(readFileSync(file, 'utf8'));
}

/** The text without what differs from run to run: ids, times and addresses. Tables keep their form. */
export function masked(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/\b(127\.0\.0\.1|localhost):\d{5}/g, '$1:PORT.')
    .replace(/\b([a-z]{3,4})_[0-9a-hjkmnp-tv-z]{26}\b/g, '$1_ID')
    .replace(/\breq_\w+/g, 'req_ID')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME')
    .replace(/\b\d+[sm] ago\b/g, 'now');
}
