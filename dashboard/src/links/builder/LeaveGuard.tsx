import { useBlocker } from '@tanstack/react-router';
import { t } from '../../texts/index.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';

/** Asks before a page with unsaved work is left. */
export function LeaveGuard({ isBlocking }: { isBlocking: boolean }) {
  const { proceed, reset, status } = useBlocker({
    shouldBlockFn: () => isBlocking,
    enableBeforeUnload: () => isBlocking,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      isOpen={status === 'blocked'}
      title={t.common.unsavedTitle}
      verb={t.common.leave}
      onClose={() => reset?.()}
      onConfirm={() => proceed?.()}
    >
      {t.common.unsavedBody}
    </ConfirmDialog>
  );
}
