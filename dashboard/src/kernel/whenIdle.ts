/** However busy a page is, it is called idle after so long. */
const LATEST_MS = 2000;
/** Safari knows no idle times: the data of most pages is asked for by then. */
const ELSEWHERE_MS = 300;

/** Resolves when the page has nothing to do for a moment, for what can wait until everything else was asked for. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: LATEST_MS });
    else setTimeout(resolve, ELSEWHERE_MS);
  });
}
