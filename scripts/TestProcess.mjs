import { fork } from 'node:child_process';
import path from 'node:path';

/** The longest time for which a process may report nothing. A test ends after a minute unless it says otherwise. */
const SILENT_MS = 6 * 60_000;
/** For how long a process may stay after its last test. It ends at once unless a test left something open. */
const LINGERS_MS = 60_000;

const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    for (const child of running) killGroup(child);
    process.exit(1);
  });
}

/**
 * A process that runs test files one after the other: what they load is loaded once, and those that share a product find it
 * running. One that hangs is killed with everything that it started.
 */
export class TestProcess {
  #child;
  #onReport;
  #waiting = null;
  #heardAt = performance.now();
  #doing = 'loading';
  #output = '';

  constructor(env, onReport) {
    this.#onReport = onReport;
    this.#child = fork(path.join(import.meta.dirname, 'runTestFiles.mjs'), {
      execArgv: ['--enable-source-maps'],
      env: { ...process.env, ...env, TEST_RUNNER: 'true' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    });
    running.add(this.#child);
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        this.#output = (this.#output + text).slice(-20_000);
      });
    this.#child.on('message', (report) => this.#hear(report));
    this.#child.on('close', (code, signal) => {
      running.delete(this.#child);
      this.#settle({ crashed: `The process ended with ${signal ?? code} while ${this.#doing}.\n${this.#output}` });
    });
  }

  /** Gives what the file reported: `{ passed, failed, pending, failures, millis, cpuMillis }`, or `{ crashed }`: the process is gone. */
  run(file) {
    this.#doing = `loading ${file}`;
    this.#child.send({ run: file }, () => {});
    return this.#await(SILENT_MS);
  }

  kill() {
    killGroup(this.#child);
  }

  /** Ends it, and gives what keeps it from ending, or null. */
  async end() {
    this.#doing = 'ending';
    this.#child.send({ end: true }, () => {});
    const { crashed } = await this.#await(LINGERS_MS);
    const isSound = this.#child.exitCode === 0;
    return isSound ? null : `${crashed}\nA test left a process, server, timer or error behind.`;
  }

  #await(patienceMs) {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null)
      return Promise.resolve({ crashed: `The process was gone.\n${this.#output}` });
    this.#heardAt = performance.now();
    return new Promise((resolve) => {
      const timer = setInterval(() => {
        if (performance.now() - this.#heardAt < patienceMs) return;
        this.#output += `\nIt reported nothing for ${Math.round(patienceMs / 60_000)} minutes while ${this.#doing}.\n`;
        killGroup(this.#child);
      }, 1000);
      this.#waiting = (result) => {
        clearInterval(timer);
        resolve(result);
      };
    });
  }

  #settle(result) {
    this.#waiting?.(result);
    this.#waiting = null;
  }

  #hear(report) {
    this.#heardAt = performance.now();
    if (report.begun) this.#doing = `running "${report.begun}"`;
    if (report.done) this.#settle(report.done);
    else this.#onReport(report);
  }
}

function killGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
