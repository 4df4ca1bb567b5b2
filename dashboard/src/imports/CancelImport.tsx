import { useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { t } from '../texts/index.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { toastError } from '../ui/toasts.ts';

const CANCEL_IMPORT = graphql(`
  mutation CancelImport($id: ID!) {
    cancelImport(id: $id) {
      id
    }
  }
`);

export function CancelImport({ importId }: { importId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const cancel = useChange({ document: CANCEL_IMPORT, touches: ['imports'], onDone: () => setIsOpen(false) });
  return (
    <>
      <GuardedButton scope="links:write" variant="default" onClick={() => setIsOpen(true)}>
        {t.imports.cancel}
      </GuardedButton>
      <ConfirmDialog
        isOpen={isOpen}
        title={t.imports.cancelTitle}
        verb={t.imports.cancel}
        isPending={cancel.isPending}
        onClose={() => setIsOpen(false)}
        onConfirm={() => cancel.mutate({ id: importId }, { onError: toastError })}
      >
        {t.imports.cancelBody}
      </ConfirmDialog>
    </>
  );
}
