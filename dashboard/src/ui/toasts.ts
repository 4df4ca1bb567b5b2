import { useSyncExternalStore } from 'react';
import { t } from '../texts/index.ts';

let isWanted = false;
const listeners = new Set<() => void>();

/** What stands on the page that shows toasts; it is loaded with the first of them. */
function loading(): Promise<typeof import('./ToastHost.tsx')> {
  isWanted = true;
  for (const listener of listeners) listener();
  return import('./ToastHost.tsx');
}

/** Whether there has been a toast on this page. */
export function useToastsWanted(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isWanted,
  );
}

/** A button in a toast, besides its way back. */
export interface ToastAction {
  label: string;
  run: () => unknown;
}

/** Says that a change is done, with a way back where there is one, or another thing to do next. */
export function toast(message: string, next?: (() => unknown) | ToastAction): void {
  const action = typeof next === 'function' ? { label: t.common.undo, run: next } : next;
  void loading().then(({ showToast }) => showToast(message, action));
}

/** Says that a change was refused, in the server's words, where no form shows it. */
export function toastError(error: unknown): void {
  void loading().then(({ showError }) => showError(t.common.errorTitle, error));
}
