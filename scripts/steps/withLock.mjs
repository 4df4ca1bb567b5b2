import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const TRY_AGAIN_MS = 100;
/** The holder touches its file this often. */
const BEAT_MS = 1000;
/** A holder that is silent this long is dead, even if its process id is in use again: a container has few of them. */
const SILENT_MS = 60_000;

/**
 * Does the work while no other process of this machine does work under the same file. Waits for the other one; if that was
 * killed, takes its place at once. `onWait` is called once, when there is somebody to wait for.
 */
export async function withLock(file, work, onWait) {
  mkdirSync(path.dirname(file), { recursive: true });
  for (let tries = 0; !take(file); tries++) {
    if (tries === 0) onWait();
    await sleep(TRY_AGAIN_MS);
  }
  const beat = setInterval(() => utimesSync(file, new Date(), new Date()), BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    rmSync(file, { force: true });
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  try {
    const holder = readFileSync(file, 'utf8');
    if (isDead(holder, Date.now() - statSync(file).mtimeMs)) putAside(file, holder);
  } catch (error) {
    // It was given back meanwhile.
    if (error.code !== 'ENOENT') throw error;
  }
  return false;
}

function isDead(holder, silentMs) {
  if (silentMs > SILENT_MS) return true;
  // Between making the file and writing into it.
  if (holder === '') return false;
  try {
    process.kill(Number(holder), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Of several processes that see a dead holder one may have taken its place already: its file is put back. */
function putAside(file, holder) {
  const aside = `${file}.${process.pid}`;
  renameSync(file, aside);
  try {
    if (readFileSync(aside, 'utf8') !== holder) linkSync(aside, file);
  } finally {
    rmSync(aside);
  }
}
