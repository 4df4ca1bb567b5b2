import { askReach } from '../kernel/ask.ts';
import { t } from '../texts/index.ts';

const MARK = 'svc.reloadedAt';

/** A second failure within this time is not about an update. */
const PAUSE_MS = 60_000;
const ASK_AGAIN_MS = 2_000;

const missing = new WeakSet<object>();
let isLeaving = false;

/**
 * Notes which errors are about code that could not be loaded: the service is away, or it was updated and names its files otherwise.
 * Nothing happens yet: the code may have been asked for by a pointer that passes over a link.
 */
export function noteMissingCode(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    missing.add(payload);
    // The router would reload by itself where it recognizes the message of the browser, also into a service that is away.
    payload.message = t?.common.codeMissing ?? '';
  });
}

export function isAboutMissingCode(error: unknown): boolean {
  return typeof error === 'object' && error !== null && missing.has(error);
}

/** Loads the page anew, for a service that has just answered. Forms are kept as drafts, so nothing that was written is lost. */
export function reload(): void {
  isLeaving = true;
  location.reload();
}

/** The same, at most once in a while: code that is still missing then stays missing. */
export function reloadOnce(): boolean {
  if (!mayReload()) return false;
  reload();
  return true;
}

/** Whether the page is about to be loaded anew, and need not say what is wrong with it. */
export function isReloading(): boolean {
  return isLeaving;
}

/** Waits until the service answers, and begins again: there are no texts yet to say anything with. */
export async function beginAgain(): Promise<never> {
  for (;;) {
    const isBack = await askReach().then(
      () => true,
      () => false,
    );
    if (isBack) reloadOnce();
    await new Promise((done) => setTimeout(done, ASK_AGAIN_MS));
  }
}

/** Without a place to remember the last reload it could go on for ever, so there is none. */
function mayReload(): boolean {
  try {
    const last = Number(sessionStorage.getItem(MARK) ?? 0);
    if (Date.now() - last < PAUSE_MS) return false;
    sessionStorage.setItem(MARK, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}
