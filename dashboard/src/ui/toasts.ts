import { t } from '../texts/index.ts';

/** What stands on the page that shows toasts; it is loaded with the first of them. */
const loading = () => import('./ToastHost.tsx');

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
