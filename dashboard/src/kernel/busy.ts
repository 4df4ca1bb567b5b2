import { createContext, use, useLayoutEffect } from 'react';

/** What hears whether something within it is on its way, such as a dialog. */
export const BusyContext = createContext<((isBusy: boolean) => void) | null>(null);

/**
 * Tells whatever stands around this component that something is on its way. It knows before the next key can be pressed: effects
 * that do not belong to the layout run a moment after what the click has changed.
 */
export function useBusy(isBusy: boolean): void {
  const tell = use(BusyContext);
  useLayoutEffect(() => {
    if (!isBusy || !tell) return;
    tell(true);
    return () => tell(false);
  }, [isBusy, tell]);
}
