import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { atEnd } from './atEnd.ts';
import { PROCESS_ENV } from './child.ts';
import { inRoot, ROOT } from './root.ts';

const ADMIN = inRoot('dist/scripts/admin.js');
/** Part of the bundle of what is built; here it is what the tests themselves run. */
const PROGRAM = fileURLToPath(new URL(`../../app/admin/adminProgram${path.extname(import.meta.url)}`, import.meta.url));
/** Not compiled: compiled tests stand elsewhere. */
const HOST = path.join(ROOT, 'test/support/adminHost.mjs');

/** What the host writes to both of its streams behind the output of a command. */
const END = /\0(\d+)\0$/;

export interface AdminResult {
  /** Null when it was killed. */
  code: number | null;
  out: string;
  error: string;
}

/** `npm run admin -- …` as built, as a process of its own, which can be killed and has to end by itself. */
export function startAdmin(
  env: Record<string, string>,
  ...args: string[]
): { child: ChildProcess; ended: Promise<AdminResult> } {
  const child = spawn(process.execPath, [ADMIN, ...args], { env: { ...PROCESS_ENV, ...env } });
  const result: AdminResult = { code: null, out: '', error: '' };
  child.stdout.on('data', (chunk) => (result.out += chunk));
  child.stderr.on('data', (chunk) => (result.error += chunk));
  const ended = new Promise<AdminResult>((resolve) => child.on('close', (code) => resolve({ ...result, code })));
  return { child, ended };
}

let host: Promise<ChildProcess> | null = null;
let latest: Promise<unknown> = Promise.resolve();

/**
 * The program of `npm run admin -- …` in a process that runs one such command after another: a tenth of what a process
 * for each takes. What is about the process itself starts its own with `startAdmin`.
 */
export function runAdmin(env: Record<string, string>, ...args: string[]): Promise<AdminResult> {
  const result = latest.then(async () => {
    host ??= startHost();
    return runIn(await host, { words: args, env: { ...PROCESS_ENV, ...env } });
  });
  latest = result.catch(() => {});
  return result;
}

async function startHost(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...process.execArgv, HOST, PROGRAM], {
    env: PROCESS_ENV,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.once('exit', () => {
    host = null;
  });
  let said = '';
  const hear = (chunk: Buffer) => {
    said += chunk;
  };
  child.stderr?.on('data', hear);
  const [first] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  child.stderr?.off('data', hear);
  if (first !== 'ready') throw new Error(`The host of admin commands ended:\n${said}`);
  return child;
}

function runIn(child: ChildProcess, command: { words: string[]; env: object }): Promise<AdminResult> {
  const result: AdminResult = { code: null, out: '', error: '' };
  const hear = {
    out(chunk: Buffer) {
      result.out += chunk;
    },
    error(chunk: Buffer) {
      result.error += chunk;
    },
  };
  return new Promise((resolve) => {
    const finish = () => {
      child.stdout?.off('data', hear.out).off('data', check);
      child.stderr?.off('data', hear.error).off('data', check);
      child.off('close', finish);
      resolve(result);
    };
    const check = () => {
      const ends = [END.exec(result.out), END.exec(result.error)];
      if (ends.includes(null)) return;
      result.code = Number(ends[0]?.[1]);
      result.out = result.out.replace(END, '');
      result.error = result.error.replace(END, '');
      finish();
    };
    child.stdout?.on('data', hear.out).on('data', check);
    child.stderr?.on('data', hear.error).on('data', check);
    // A command that ends the whole process has no end on its streams.
    child.once('close', finish);
    child.send(command);
  });
}

atEnd(async () => (await host)?.kill());
