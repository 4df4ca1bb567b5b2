import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { toast, toastError } from '../ui/toasts.ts';

const DELETE_LINK = graphql(`
  mutation DeleteLink($id: ID!) {
    deleteLink(id: $id)
  }
`);

interface DeleteLinkDialogProps {
  link: { id: string; shortUrl: string } | null;
  onClose: () => void;
  onDeleted?: () => void;
}

/** Asks before a link is deleted, and says what stays. */
export function DeleteLinkDialog({ link, onClose, onDeleted }: DeleteLinkDialogProps) {
  const remove = useChange({
    document: DELETE_LINK,
    touches: ['links', 'tags'],
    onDone: () => {
      toast(t.links.deleted);
      onClose();
      onDeleted?.();
    },
  });
  return (
    <ConfirmDialog
      isOpen={link !== null}
      title={t.links.deleteTitle(1)}
      verb={t.links.deleteVerb(1)}
      isPending={remove.isPending}
      onClose={onClose}
      onConfirm={() => link && remove.mutate({ id: link.id }, { onError: toastError })}
    >
      <p>
        <b>{link?.shortUrl}</b>
      </p>
      <p>{t.links.deleteBody(1)}</p>
    </ConfirmDialog>
  );
}
