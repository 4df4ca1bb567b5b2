import { createContext, use, useEffect } from 'react';

/** What hears whether something within it is on its way, such as a dialog. */
export const BusyContext = createContext<((isBusy: boolean) => void) | null>(null);

/** Tells whatever stands around this component that something is on its way. */
export function useBusy(isBusy: boolean): void {
  const tell = use(BusyContext);
  useEffect(() => {
    if (!isBusy || !tell) return;
    tell(true);
    return () => tell(false);
  }, [isBusy, tell]);
}
