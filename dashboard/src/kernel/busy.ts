import { createContext, use, useLayoutEffect } from 'react';

/** What hears whether something within it is on its way, such as a dialog. */
export const BusyContext = createContext<((isBusy: boolean) => void) | null>(null);

/**
 * Tells whatever stands around this component that something is on its way, as soon as `isBusy` is rendered: other effects run
 * so late that a key pressed right after the click comes first.
 */
export function useBusy(isBusy: boolean): void {
  const tell = use(BusyContext);
  useLayoutEffect(() => {
    if (!isBusy || !tell) return;
    tell(true);
    return () => tell(false);
  }, [isBusy, tell]);
}
