import { onDemand } from './onDemand.tsx';
import { useToastsWanted } from './toasts.ts';

const ToastHost = onDemand(() => import('./ToastHost.tsx').then(({ ToastHost }) => ToastHost));

/** Where toasts appear. Nothing is loaded for them before the first one. */
export function Toasts() {
  return useToastsWanted() ? <ToastHost /> : null;
}
