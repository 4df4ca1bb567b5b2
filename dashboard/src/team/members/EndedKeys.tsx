import { Button, Group, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useChange } from '../../kernel/queries.ts';
import { useSession } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { type Column, RecordTable } from '../../ui/RecordTable.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast, toastError } from '../../ui/toasts.ts';
import { DISABLE_WEBHOOKS, type EndedKey, type LeftWebhook } from './operations.ts';

export interface Ended {
  /** The member who was removed; null: the person has left themselves, and can keep and disable nothing. */
  member: { teamId: string; userId: string; email: string } | null;
  keys: readonly EndedKey[];
  webhooks: readonly LeftWebhook[];
  onClose?: () => void;
}

const READY = { isPending: false, error: null, refetch: () => {} };

/** What a member leaves behind: secret keys that end, with the way to keep them, and webhooks that go on. */
export function EndedKeys({ ended, onClose }: { ended: Ended | null; onClose: () => void }) {
  const texts = t.team.ended;
  const keys = ended?.keys ?? [];
  const webhooks = ended?.webhooks ?? [];
  const close = () => {
    ended?.onClose?.();
    onClose();
  };
  const title = keys.length > 0 ? texts.title(keys.length) : texts.titleOfWebhooks;
  return (
    <Dialog opened={ended !== null} onClose={close} title={title} size="lg">
      <Stack>
        {ended && keys.length > 0 ? <Keys ended={ended} /> : null}
        {ended && webhooks.length > 0 ? <Webhooks ended={ended} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t.common.close}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function Keys({ ended: { member, keys } }: { ended: Ended }) {
  const { projects } = useSession();
  const navigate = useNavigate();
  const texts = t.team.ended;
  const nameOf = (id: string) => projects.find((project) => project.id === id)?.name ?? id;
  const columns: Column<EndedKey>[] = [
    { title: texts.name, cell: ({ name }) => name },
    { title: texts.key, cell: ({ lastFour }) => <code>{texts.ending(lastFour)}</code> },
    { title: texts.project, cell: ({ projectId }) => nameOf(projectId) },
    { title: texts.ends, cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : t.common.never) },
  ];
  const projectIds = [...new Set(keys.map(({ projectId }) => projectId))];
  return (
    <>
      <div>{member ? texts.removed(member.email) : texts.left}</div>
      <RecordTable
        label={texts.title(keys.length)}
        rows={keys}
        keyOf={({ id }) => id}
        query={READY}
        empty={null}
        columns={columns}
      />
      <Group justify="flex-end">
        {member
          ? projectIds.map((project) => (
              <Button key={project} onClick={() => void navigate({ to: '/api', search: { project } })}>
                {projectIds.length === 1 ? texts.keep : texts.keepIn(nameOf(project))}
              </Button>
            ))
          : null}
      </Group>
    </>
  );
}

function Webhooks({ ended: { member, webhooks } }: { ended: Ended }) {
  const texts = t.team.ended;
  const disable = useChange({
    document: DISABLE_WEBHOOKS,
    touches: ['webhooks', 'audit'],
    onDone: () => toast(texts.disabled),
  });
  return (
    <>
      <div>{disable.isSuccess ? texts.disabled : member ? texts.webhooksAbout : texts.webhooksLeft}</div>
      <RecordTable
        label={texts.webhooks}
        rows={webhooks}
        keyOf={({ id }) => id}
        query={READY}
        empty={null}
        columns={[{ title: texts.url, cell: ({ url }) => url, isName: true }]}
      />
      {member && !disable.isSuccess ? (
        <Group justify="flex-end">
          <Button
            color="red"
            variant="light"
            loading={disable.isPending}
            onClick={() => disable.mutate({ teamId: member.teamId, userId: member.userId }, { onError: toastError })}
          >
            {texts.disable}
          </Button>
        </Group>
      ) : null}
    </>
  );
}
