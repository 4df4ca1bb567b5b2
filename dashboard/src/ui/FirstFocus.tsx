import { type ReactNode, useCallback } from 'react';
import { awaitField } from '../kernel/typeAhead.ts';
import { isWriting } from '../kernel/writing.ts';
import { firstControl } from './firstField.ts';

/** For how long content that is still on its way is waited for. */
const PATIENCE_MS = 5_000;

/**
 * The content of a dialog. The dialog focuses what is marked, or else its first control of all, which is the cross in its corner:
 * this marks the control with which the work begins, as soon as it is there.
 */
export function FirstFocus({ children }: { children: ReactNode }) {
  const ref = useCallback((content: HTMLDivElement | null) => (content ? markFirst(content) : undefined), []);
  return <div ref={ref}>{children}</div>;
}

/** Marks the first control before the dialog looks for it. One that comes later is focused, unless somebody has gone on. */
function markFirst(content: HTMLElement): () => void {
  const mark = () => {
    const first = firstControl(content);
    first?.setAttribute('data-autofocus', '');
    // The dialog moves the focus a moment later, and people type faster.
    if (isWriting(first) && document.activeElement !== first) awaitField();
    return first !== null;
  };
  if (mark()) return () => {};
  const dialog = content.closest('[role="dialog"]');
  const observer = new MutationObserver(() => {
    if (!mark()) return;
    stop();
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.contains(content) || dialog?.contains(activeElement))
      firstControl(content)?.focus({ preventScroll: true });
  });
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
    dialog?.removeEventListener('keydown', stop);
  };
  const timer = setTimeout(() => stop(), PATIENCE_MS);
  observer.observe(content, { childList: true, subtree: true });
  dialog?.addEventListener('keydown', stop);
  return stop;
}
