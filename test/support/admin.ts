import { type ChildProcess, spawn } from 'node:child_process';
import { PROCESS_ENV } from './child.ts';
import { inRoot } from './root.ts';

const ADMIN = inRoot('dist/scripts/admin.js');

export interface AdminResult {
  /** Null when it was killed. */
  code: number | null;
  out: string;
  error: string;
}

/** `npm run admin -- …` as built, as a process that can be killed. */
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

export function runAdmin(env: Record<string, string>, ...args: string[]): Promise<AdminResult> {
  return startAdmin(env, ...args).ended;
}
