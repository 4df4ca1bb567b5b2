import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { refresh, useChange } from '../kernel/queries.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { t } from '../texts/index.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { IconTrash } from '../ui/icons.ts';
import { toast, toastError } from '../ui/toasts.ts';

const DELETE_INSTALL = graphql(`
  mutation DeleteInstall($projectId: ID!, $id: ID!) {
    deleteInstall(projectId: $projectId, id: $id)
  }
`);

/** Deletes everything about an install, as its user may ask. */
export function DeleteInstall({ projectId, id }: { projectId: string; id: string }) {
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const { install: texts } = t.apps;
  const remove = useChange({ document: DELETE_INSTALL, touches: ['analytics', 'events'] });
  const confirm = () =>
    remove.mutate(
      { projectId, id },
      {
        // The page of what is gone must not ask for it again: the list is asked once that is left.
        onSuccess: async () => {
          toast(texts.deleted);
          await navigate({ to: '/apps/installs', replace: true });
          void refresh(['apps']);
        },
        onError: toastError,
      },
    );
  return (
    <>
      <GuardedButton
        scope="installs:write"
        color="red"
        variant="light"
        leftSection={<IconTrash size={16} />}
        onClick={() => setIsOpen(true)}
      >
        {texts.delete}
      </GuardedButton>
      <ConfirmDialog
        isOpen={isOpen}
        title={texts.deleteTitle}
        verb={t.common.delete}
        isPending={remove.isPending}
        onClose={() => setIsOpen(false)}
        onConfirm={confirm}
      >
        {texts.deleteBody}
      </ConfirmDialog>
    </>
  );
}
