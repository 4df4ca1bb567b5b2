import { useEffect, useRef } from 'react';
import { readPreference } from './storage.ts';
import { isWriting, targetOf } from './writing.ts';

type Handler = (event: KeyboardEvent) => void;

/** Time in which the second key of a sequence such as `g l` must follow. */
const SEQUENCE_MS = 1_200;

/**
 * Shortcuts of a page: single keys (`c`, `/`, `Enter`) and sequences (`g l`). They rest while somebody writes or composes a
 * word, while a field is on its way (see `awaitField`), while a dialog or menu is open or was closed by the same key, with a
 * modifier, and where single letters are switched off.
 */
export function useShortcuts(handlers: Record<string, Handler>): void {
  const current = useRef(handlers);
  current.current = handlers;
  useEffect(() => {
    let first: { key: string; at: number } | null = null;
    let isForDialog = false;
    // Escape closes a dialog before it comes to the page, where it must not clear anything as well.
    const look = () => {
      isForDialog = isDialogOpen();
    };
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isComposing(event) || isWriting(targetOf(event)) || isForDialog) return;
      if (isLetter(event.key) && readPreference('hasShortcuts') === false) return;
      const sequence = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${event.key}` : null;
      const handler = (sequence && current.current[sequence]) || current.current[event.key];
      first = { key: event.key, at: event.timeStamp };
      if (!handler) return;
      handler(event);
    };
    addEventListener('keydown', look, { capture: true });
    document.addEventListener('keydown', listen);
    return () => {
      removeEventListener('keydown', look, { capture: true });
      document.removeEventListener('keydown', listen);
    };
  }, []);
}

function isLetter(key: string): boolean {
  return key.length === 1;
}

/** An input method is at work. Safari says so by the old code alone, after the last key of a word. */
function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.key === 'Process' || event.keyCode === 229;
}

/** Menus count too: letters choose their items. */
export function isDialogOpen(): boolean {
  // Fields with choices keep their closed lists in the page.
  const found = document.querySelectorAll(
    'dialog[open], [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]',
  );
  return [...found].some((element) => element.checkVisibility());
}

/** Whether shortcuts are pressed with ⌘ on this system. */
export function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
