import { useBlocker } from '@tanstack/react-router';
import { t } from '../texts/index.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';

interface LeaveGuardProps {
  isBlocking: boolean;
  /** What would be lost; unsaved changes, when nothing is said. */
  title?: string;
  body?: string;
}

/** Asks before a page is left and something is lost. */
export function LeaveGuard({ isBlocking, title, body }: LeaveGuardProps) {
  const { proceed, reset, status } = useBlocker({
    shouldBlockFn: () => isBlocking,
    enableBeforeUnload: () => isBlocking,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      isOpen={status === 'blocked'}
      title={title ?? t.common.unsavedTitle}
      verb={t.common.leave}
      otherVerb={t.common.stay}
      onClose={() => reset?.()}
      onConfirm={() => proceed?.()}
    >
      {body ?? t.common.unsavedBody}
    </ConfirmDialog>
  );
}
