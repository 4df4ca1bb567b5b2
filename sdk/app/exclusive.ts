import { host } from './host.ts';

/** Longer than what others do at a time. Browsers suspend tabs, which then keep what they have. */
const PATIENCE_MS = 15_000;

/** By storage, the end of each line. */
const lines = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * Does the jobs of a name one after another: those of all tabs in browsers that have Web Locks, elsewhere those of the
 * clients on one storage. A job never begins before this returns.
 */
export function exclusive<Result>(storage: object, name: string, job: () => Promise<Result>): Promise<Result> {
  const locks = host.document && host.navigator?.locks;
  if (!locks) return inLine(storage, name, job);
  return new Promise((resolve, reject) => {
    let begun: Promise<Result> | undefined;
    const begin = () => {
      host.clearTimeout(timer);
      begun = begun || Promise.resolve().then(job);
      return begun;
    };
    const goOn = () => begin().then(resolve, reject);
    const timer = host.setTimeout(goOn, PATIENCE_MS);
    // Some frames are refused all locks.
    locks.request(name, begin).then(resolve, goOn);
  });
}

function inLine<Result>(storage: object, name: string, job: () => Promise<Result>): Promise<Result> {
  const ends = lines.get(storage) || new Map<string, Promise<unknown>>();
  lines.set(storage, ends);
  const turn = (ends.get(name) || Promise.resolve()).then(job);
  ends.set(
    name,
    turn.catch(() => {}),
  );
  return turn;
}
