import { spawn } from 'node:child_process';
import { SVC } from './cli.ts';
import { until } from './until.ts';

/** A command of the built command line that goes on until it is told to end. */
export interface LongCommand {
  /** What went to stdout and stderr so far. */
  printed(): string;
  said(): string;
  /** Waits until stderr has this. */
  untilSaid(words: string | RegExp, withinMs?: number): Promise<unknown>;
  interrupt(): void;
  kill(): void;
  /** The exit code; null: it was killed. */
  ended: Promise<number | null>;
}

/** Starts `svc …` with this key; `home` is where it keeps its files. */
export function startCommand(
  words: readonly string[],
  { origin, key, home }: { origin: string; key: string; home: string },
): LongCommand {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: home,
    SVC_URL: origin,
    SVC_KEY: key,
    NO_COLOR: '1',
  };
  const child = spawn(process.execPath, [SVC, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text;
  });
  const has = (words: string | RegExp) => (typeof words === 'string' ? err.includes(words) : words.test(err));
  return {
    printed: () => out,
    said: () => err,
    untilSaid: (words, withinMs = 60_000) =>
      until(() => has(words), `svc to say ${words}`, withinMs).catch((error: Error) => {
        throw new Error(`${error.message}; it said: ${err}`);
      }),
    interrupt: () => void child.kill('SIGINT'),
    kill: () => void child.kill('SIGKILL'),
    ended: new Promise((resolve) => child.once('close', resolve)),
  };
}
