import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { toast, toastError } from '../ui/toasts.ts';

const ARCHIVE = graphql(`
  mutation ArchiveLink($id: ID!) {
    archiveLink(id: $id) {
      id
    }
  }
`);

const UNARCHIVE = graphql(`
  mutation UnarchiveLink($id: ID!) {
    unarchiveLink(id: $id) {
      id
    }
  }
`);

/** Archives a link or brings it back, with the way back in the toast. */
export function useArchive(): (link: { id: string }, isArchived: boolean) => void {
  const archive = useChange({ document: ARCHIVE, touches: ['links'] });
  const unarchive = useChange({ document: UNARCHIVE, touches: ['links'] });
  const change = ({ id }: { id: string }, isArchived: boolean, canUndo = true) => {
    const undo = canUndo ? () => change({ id }, !isArchived, false) : undefined;
    const onSuccess = () => toast(isArchived ? t.links.archived : t.links.unarchived, undo);
    (isArchived ? archive : unarchive).mutate({ id }, { onSuccess, onError: toastError });
  };
  return change;
}
