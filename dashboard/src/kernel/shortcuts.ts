import { useEffect, useRef } from 'react';
import { readPreference } from './storage.ts';

type Handler = (event: KeyboardEvent) => void;

/** Time in which the second key of a sequence such as `g l` must follow. */
const SEQUENCE_MS = 1_200;

/**
 * Shortcuts of a page: single keys (`c`, `/`, `Enter`) and sequences (`g l`). They rest while somebody writes, while a dialog is
 * open, with a modifier, and where single letters are switched off.
 */
export function useShortcuts(handlers: Record<string, Handler>): void {
  const current = useRef(handlers);
  current.current = handlers;
  useEffect(() => {
    let first: { key: string; at: number } | null = null;
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isWriting(event.target) || isDialogOpen()) return;
      if (isLetter(event.key) && readPreference('hasShortcuts') === false) return;
      const sequence = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${event.key}` : null;
      const handler = (sequence && current.current[sequence]) || current.current[event.key];
      first = { key: event.key, at: event.timeStamp };
      if (!handler) return;
      handler(event);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function isLetter(key: string): boolean {
  return key.length === 1;
}

/** A checkbox takes no letters. */
function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !/^(checkbox|radio|button|submit)$/.test(target.type);
  return target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Menus count too: letters choose their items. */
function isDialogOpen(): boolean {
  // Fields with choices keep their closed lists in the page.
  const found = document.querySelectorAll('[role="dialog"], [role="menu"], [role="listbox"]');
  return [...found].some((element) => element.checkVisibility());
}

/** Whether shortcuts are pressed with ⌘ on this system. */
export function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
