import { useEffect, useRef } from 'react';

/** Longer than a dialog needs to let go of the focus. */
const CLOSE_MS = 20;

/**
 * Gives the focus back to what opened a dialog. For dialogs whose code is loaded when they are first opened: they are open from
 * their first render on, and so have missed where the focus was.
 */
export function useFocusBack(isOpen: boolean): void {
  const opener = useRef<Element | null>(null);
  if (isOpen) opener.current ??= document.activeElement;
  useEffect(() => {
    const element = opener.current;
    if (isOpen || !(element instanceof HTMLElement)) return;
    opener.current = null;
    const timer = setTimeout(() => {
      const active = document.activeElement;
      // While the dialog fades out it still has the focus.
      if (active === null || active === document.body || active.closest('[role="dialog"]')) element.focus();
    }, CLOSE_MS);
    return () => clearTimeout(timer);
  }, [isOpen]);
}
