import { spawn } from 'node:child_process';

/** The longest time for which a part may print nothing. Each test that ends is a line, and none may take more than half of this. */
const SILENT_MS = 10 * 60_000;
/** For how long a process may stay after it told what it found. It ends at once unless a test left something open. */
const LINGERS_MS = 60_000;
const LOOK_MS = 1000;

/** How mocha begins what it tells at the end. */
const END = /^\s+\d+ passing/m;

const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    for (const child of running) killGroup(child);
    process.exit(1);
  });
}

/**
 * Runs a command until it ends, and gives its exit code and its output; `tell` hears each chunk. One that hangs is killed with
 * everything that it started, so that a run ends and says where it hung: `hung` says so then, or is null.
 */
export function runWatched([command, ...args], env, tell) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    running.add(child);
    let output = '';
    let heardAt = performance.now();
    let hung = null;
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk) => {
      output += chunk;
      heardAt = performance.now();
      tell(chunk);
    });
    const timer = setInterval(() => {
      hung = hangs(performance.now() - heardAt, output);
      if (!hung) return;
      clearInterval(timer);
      killGroup(child);
    }, LOOK_MS);
    child.on('close', (code) => {
      clearInterval(timer);
      running.delete(child);
      resolve({ code: hung ? 1 : code, output, hung });
    });
  });
}

function hangs(silentMs, output) {
  if (silentMs < LINGERS_MS) return null;
  if (END.test(output.slice(-200_000)))
    return 'It did not end after its last test: a test left a process, server or timer behind.';
  return silentMs < SILENT_MS ? null : `It printed nothing for ${SILENT_MS / 60_000} minutes.`;
}

function killGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
