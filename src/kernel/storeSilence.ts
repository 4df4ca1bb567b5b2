/** The store was asked and has not answered in time: as good as down. */
export class StoreHangs extends Error {}

/** From this on a silent store is not waited for by what it was asked before: its connections are given up. */
const GIVE_UP_MS = 5000;

let isSilent = false;
let givingUp: NodeJS.Timeout | undefined;
const waiting = new Set<() => void>();

/**
 * PostgreSQL neither answers on a connection that stood nor takes a new one, without refusing either: a server that hangs,
 * or a network that swallows packets. Whoever waits within `unlessSilent` is told at once; `giveUp` is called when it
 * lasts.
 */
export function noteSilence(giveUp: () => void): void {
  if (isSilent) return;
  isSilent = true;
  givingUp = setTimeout(giveUp, GIVE_UP_MS);
  for (const tell of [...waiting]) tell();
}

/** It has answered, or nobody listens any more. */
export function noteSign(): void {
  isSilent = false;
  clearTimeout(givingUp);
}

/** Does `work`, or throws `StoreHangs` while the store is silent: then what has begun goes on by itself. */
export function unlessSilent<Result>(work: () => Promise<Result>): Promise<Result> {
  if (isSilent) return Promise.reject(hanging());
  return new Promise((resolve, reject) => {
    const tell = () => reject(hanging());
    waiting.add(tell);
    work()
      .then(resolve, reject)
      .finally(() => waiting.delete(tell));
  });
}

function hanging(): StoreHangs {
  return new StoreHangs('the store does not answer');
}
