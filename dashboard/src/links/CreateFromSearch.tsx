import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { formatExact } from '../kernel/numbers.ts';
import { useChange } from '../kernel/queries.ts';
import { useCan } from '../session/permissions.ts';
import { t } from '../texts/index.ts';
import { toast, toastError } from '../ui/toasts.ts';
import styles from './FilterBar.module.css';
import { BULK_CREATE } from './operations.ts';

/** Links in one call, the most that the server takes. */
const MOST = 1000;

interface CreateFromSearchProps {
  addresses: readonly string[];
  projectId: string;
  onCreated: (batchId: string) => void;
}

/** Somebody who pastes addresses into the search may want links to them. */
export function CreateFromSearch({ addresses, projectId, onCreated }: CreateFromSearchProps) {
  const navigate = useNavigate();
  const { isAllowed } = useCan('links:write');
  const create = useChange({
    document: BULK_CREATE,
    touches: ['links', 'tags'],
    onDone: ({ bulkCreateLinks: { batchId, counts, results } }) => {
      if (counts.created > 0) {
        toast(t.links.createdSeveral(formatExact(counts.created), counts.created));
        onCreated(batchId);
      }
      const refused = results.find(({ error }) => error)?.error;
      if (refused)
        toastError(new Error(t.links.notCreated(formatExact(counts.failed), counts.failed, refused.message)));
    },
  });
  const [only] = addresses;
  if (!isAllowed || only === undefined) return null;
  if (addresses.length === 1) {
    return (
      <div className={styles.offer}>
        <Button variant="light" onClick={() => void navigate({ to: '/links/new', search: { destination: only } })}>
          {t.links.createFromSearch}
        </Button>
      </div>
    );
  }
  const links = addresses.slice(0, MOST).map((destination) => ({ destination }));
  return (
    <div className={styles.offer}>
      <Button
        variant="light"
        loading={create.isPending}
        onClick={() => create.mutate({ input: { projectId, links } }, { onError: toastError })}
      >
        {t.links.createSeveral(formatExact(links.length))}
      </Button>
    </div>
  );
}
