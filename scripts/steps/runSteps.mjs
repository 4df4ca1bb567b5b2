import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Ledger } from './Ledger.mjs';
import { withLock } from './withLock.mjs';

/** Each step has more than one thread of its own now and then; more than this makes none of them faster on two cores. */
const AT_ONCE = 2;

/**
 * A step: what it is made from, what it makes, and how.
 *   name      what it is called on the command line
 *   after     names of steps that come before it, because it reads what they make
 *   inputs    files and folders; `!` leaves one out. A folder counts with everything in it
 *   outputs   files and folders
 *   clean     what is deleted before it runs, unless what it made the last time is there: memories of compilers
 *   run       commands for Node, one after the other, each an array
 *   takesChanged   the files that changed are appended to its commands, if all of them are below these folders
 *   onlyIfAsked    it is not among those that run when no names are given
 */

/**
 * Runs those of the named steps, and of the steps that come before them, that are not fresh, two at a time in the order of the
 * table. Calls `tell(step, result)` for each, also for fresh ones if `tellsFresh`. Two processes that do this at the same time do
 * it one after the other, and the second finds everything fresh. Gives the names of those that failed or had to be left out.
 */
export async function runSteps(table, { names = [], ledger: file, tell, tellsFresh = false }) {
  const wanted = namedSteps(table, names);
  const ledger = new Ledger(file);
  if (!tellsFresh && wanted.every((step) => ledger.isFresh(step)) && !ledger.hasNews) return [];
  const onWait = () => process.stderr.write('Waiting for another process that builds or checks here …\n');
  return withLock(`${file}.lock`, () => runAll(wanted, new Ledger(file), tell, tellsFresh), onWait);
}

function namedSteps(table, names) {
  const named = new Set();
  const add = (name) => {
    const step = table.find((one) => one.name === name);
    if (!step) throw new Error(`${name} is none of: ${table.map((one) => one.name).join(', ')}`);
    for (const before of step.after ?? []) add(before);
    named.add(step);
  };
  const asked = names.length > 0 ? names : table.filter((step) => !step.onlyIfAsked).map((step) => step.name);
  for (const name of asked) add(name);
  return table.filter((step) => named.has(step));
}

async function runAll(steps, ledger, tell, tellsFresh) {
  const stopped = stopOnSignals();
  const waiting = [...steps];
  const done = new Set();
  const failed = [];
  const running = new Set();
  const isReady = ({ after = [] }) => after.every((name) => done.has(name));
  for (;;) {
    const next = running.size < AT_ONCE && !stopped.aborted ? waiting.find(isReady) : undefined;
    if (next) {
      waiting.splice(waiting.indexOf(next), 1);
      const work = runOne(next, ledger, { tell, tellsFresh, stopped }).then((isDone) => {
        if (isDone) done.add(next.name);
        else failed.push(next.name);
        running.delete(work);
      });
      running.add(work);
    } else if (running.size > 0) {
      await Promise.race(running);
    } else {
      break;
    }
  }
  if (ledger.hasNews) ledger.save();
  return [...failed, ...waiting.map(({ name }) => name)];
}

/** A signal ends the commands that run, and nothing more begins: what broke off does not count as made. */
function stopOnSignals() {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
  return stop.signal;
}

async function runOne(step, ledger, { tell, tellsFresh, stopped }) {
  if (ledger.isFresh(step)) {
    if (tellsFresh) tell(step, { isFresh: true, isDone: true });
    return true;
  }
  const begunAt = performance.now();
  const inputs = ledger.digest(step);
  const more = changedFiles(step, ledger);
  if (!ledger.wasMade(step)) for (const place of step.clean ?? []) rmSync(place, { recursive: true, force: true });
  ledger.begin(step);
  let output = '';
  let isDone = true;
  for (const command of step.run) {
    const result = await runNode([...command, ...more], stopped);
    output += result.output;
    isDone = result.status === 0;
    if (!isDone) break;
  }
  if (isDone) ledger.succeed(step, inputs);
  tell(step, { isFresh: false, isDone, output, seconds: (performance.now() - begunAt) / 1000 });
  return isDone;
}

/** The files that a command is to look at; none, and it looks at everything. */
function changedFiles(step, ledger) {
  const changed = step.takesChanged ? ledger.changed(step) : null;
  const isBelow = (file) => step.takesChanged.some((folder) => file.startsWith(`${folder}/`));
  return changed?.every(isBelow) ? changed.filter((file) => existsSync(file)) : [];
}

function runNode(args, signal) {
  const PATH = [path.resolve('node_modules/.bin'), process.env.PATH].join(path.delimiter);
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH },
    signal,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  child.on('error', (error) => {
    output += error;
  });
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, output })));
}
