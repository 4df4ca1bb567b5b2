import { onDemand } from './onDemand.tsx';

/** Asks before something that cannot be undone. Enter confirms, Escape cancels. */
export const ConfirmDialog = onDemand(() => import('./ConfirmForm.tsx').then(({ ConfirmForm }) => ConfirmForm), {
  isShown: ({ isOpen }) => isOpen,
});
