import { dialogOnDemand } from './onDemand.tsx';

/**
 * Asks before something that cannot be undone. The focus is on its first field, else on the button that loses nothing: a key that
 * was pressed once too often must not delete. Escape cancels.
 */
export const ConfirmDialog = dialogOnDemand(
  () => import('./ConfirmForm.tsx').then(({ ConfirmForm }) => ConfirmForm),
  ({ isOpen }) => isOpen,
);
