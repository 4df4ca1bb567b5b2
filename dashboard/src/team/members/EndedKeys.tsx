import { Button, Group, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useSession } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { type Column, RecordTable } from '../../ui/RecordTable.tsx';
import { Time } from '../../ui/Time.tsx';
import type { EndedKey } from './operations.ts';

export interface Ended {
  /** Of the member who was removed; null: the person has left themselves, and can keep nothing. */
  email: string | null;
  keys: readonly EndedKey[];
  onClose?: () => void;
}

const READY = { isPending: false, error: null, refetch: () => {} };

/** The secret keys that end with a membership, and the way to keep them. */
export function EndedKeys({ ended, onClose }: { ended: Ended | null; onClose: () => void }) {
  const { projects } = useSession();
  const navigate = useNavigate();
  const texts = t.team.ended;
  const keys = ended?.keys ?? [];
  const nameOf = (id: string) => projects.find((project) => project.id === id)?.name ?? id;
  const close = () => {
    ended?.onClose?.();
    onClose();
  };
  const columns: Column<EndedKey>[] = [
    { title: texts.name, cell: ({ name }) => name },
    { title: texts.key, cell: ({ lastFour }) => <code>{texts.ending(lastFour)}</code> },
    { title: texts.project, cell: ({ projectId }) => nameOf(projectId) },
    { title: texts.ends, cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : t.common.never) },
  ];
  const projectIds = [...new Set(keys.map(({ projectId }) => projectId))];
  return (
    <Dialog opened={ended !== null} onClose={close} title={texts.title(keys.length)} size="lg">
      <Stack>
        <div>{ended?.email ? texts.removed(ended.email) : texts.left}</div>
        <RecordTable
          label={texts.title(keys.length)}
          rows={keys}
          keyOf={({ id }) => id}
          query={READY}
          empty={null}
          columns={columns}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t.common.close}
          </Button>
          {ended?.email
            ? projectIds.map((project) => (
                <Button key={project} onClick={() => void navigate({ to: '/api', search: { project } })}>
                  {projectIds.length === 1 ? texts.keep : texts.keepIn(nameOf(project))}
                </Button>
              ))
            : null}
        </Group>
      </Stack>
    </Dialog>
  );
}
