import { type ChildProcess, spawn } from 'node:child_process';
import { inRoot } from '../root.ts';

const SVC = inRoot('dist/packages/cli/dist/svc.mjs');

/** What a run of the command line gave. */
export interface Ran {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<Ran>;
}

interface Place {
  origin: string;
  key: string;
  folder: string;
  env?: Record<string, string>;
}

/** Starts the built command line in a folder, as the key of a server. */
export function startSvc({ origin, key, folder, env = {} }: Place, ...args: string[]): Running {
  const child = spawn(process.execPath, [SVC, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, XDG_CONFIG_HOME: folder, SVC_URL: origin, SVC_KEY: key, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ran: Ran = { exitCode: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    ran.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    ran.stderr += chunk;
  });
  const ended = new Promise<Ran>((resolve) => child.once('close', (code) => resolve({ ...ran, exitCode: code })));
  return { child, ended };
}

/** Runs the built command line to its end. */
export function svc(place: Place, ...args: string[]): Promise<Ran> {
  return startSvc(place, ...args).ended;
}
