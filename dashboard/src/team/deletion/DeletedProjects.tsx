import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { graphql } from '../../kernel/graphql.ts';
import { useChange } from '../../kernel/queries.ts';
import type { Team } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { Card } from '../../ui/Page.tsx';
import { RecordTable } from '../../ui/RecordTable.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast, toastError } from '../../ui/toasts.ts';
import { type DeletedProject, useDeletedProjects } from './operations.ts';

const RESTORE_PROJECT = graphql(`
  mutation RestoreProject($id: ID!) {
    restoreProject(id: $id) {
      id
    }
  }
`);

/** Deleted projects with the time they have left. */
export function DeletedProjects({ team }: { team: Team }) {
  const { restore } = t.team;
  const query = useDeletedProjects(team);
  return (
    <Card title={restore.title} isFlush>
      <RecordTable
        label={restore.title}
        rows={query.rows}
        keyOf={({ id }) => id}
        query={query}
        empty={<EmptyState title={restore.empty} />}
        columns={[
          { title: restore.name, cell: ({ name }) => name },
          { title: restore.until, cell: ({ deletionAt }) => (deletionAt ? <Time at={deletionAt} /> : null) },
          { title: t.team.members.actions, cell: (project) => <Restore project={project} /> },
        ]}
      />
    </Card>
  );
}

function Restore({ project: { id, name } }: { project: DeletedProject }) {
  const { restore: texts } = t.team;
  const navigate = useNavigate();
  const restore = useChange({
    document: RESTORE_PROJECT,
    touches: ['projects', 'session', 'audit'],
    onDone: () =>
      toast(texts.done(name), {
        label: texts.open,
        run: () => navigate({ to: '/', search: { project: id } }),
      }),
  });
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={texts.actionOf(name)}
      loading={restore.isPending}
      onClick={() => restore.mutate({ id }, { onError: toastError })}
    >
      {texts.action}
    </Button>
  );
}
