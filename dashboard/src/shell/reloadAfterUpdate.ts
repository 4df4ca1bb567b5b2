import { t } from '../texts/index.ts';

const MARK = 'svc.reloadedAt';

/** A second failure within this time is not about an update. */
const PAUSE_MS = 60_000;

let isLeaving = false;

/**
 * A page from before an update asks for code that is gone: it is loaded anew, once. Forms are kept as drafts, so nothing that
 * was written is lost.
 */
export function reloadOnceAfterUpdate(): void {
  addEventListener('vite:preloadError', (event) => {
    // The router would reload by itself where it recognizes the message of the browser, and people could not read it.
    event.payload.message = t.common.codeMissing;
    if (isLeaving || !mayReload()) return;
    isLeaving = true;
    location.reload();
  });
}

/** Whether the page is about to be loaded anew, and need not say what is wrong with it. */
export function isReloading(): boolean {
  return isLeaving;
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
