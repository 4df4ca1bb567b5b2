import { Button } from '@mantine/core';
import { graphql, type ResultOf } from '../kernel/graphql.ts';
import { useAsk, useChange } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { Card } from '../ui/Page.tsx';
import { RecordTable } from '../ui/RecordTable.tsx';
import { Time } from '../ui/Time.tsx';
import { toast, toastError } from '../ui/toasts.ts';

const DELETED_TEAMS = graphql(`
  query DeletedTeams {
    deletedTeams {
      id
      name
      deletionAt
    }
  }
`);

const RESTORE_TEAM = graphql(`
  mutation RestoreTeam($id: ID!) {
    restoreTeam(id: $id) {
      id
    }
  }
`);

type Team = ResultOf<typeof DELETED_TEAMS>['deletedTeams'][number];

/** The person's teams that were deleted and can still be restored; nothing where there are none. */
export function DeletedTeams() {
  const query = useAsk({ about: 'team', document: DELETED_TEAMS, variables: {} });
  const { deletion } = t.account;
  const rows = query.data?.deletedTeams ?? [];
  if (rows.length === 0 && !query.error) return null;
  return (
    <Card title={deletion.deletedTeams} isFlush>
      <RecordTable
        label={deletion.deletedTeams}
        rows={rows}
        keyOf={({ id }) => id}
        query={query}
        empty={null}
        columns={[
          { title: deletion.columns.team, cell: ({ name }) => <b>{name}</b>, isName: true },
          {
            title: deletion.goneAt,
            cell: ({ deletionAt }) => (deletionAt === null ? t.common.unknown : <Time at={deletionAt} />),
          },
          { title: t.account.sessions.columns.actions, cell: (team) => <RestoreButton team={team} /> },
        ]}
      />
    </Card>
  );
}

function RestoreButton({ team: { id, name } }: { team: Team }) {
  const { deletion } = t.account;
  const restore = useChange({
    document: RESTORE_TEAM,
    touches: ['team', 'account', 'session', 'projects'],
    onDone: () => toast(deletion.restored(name)),
  });
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={deletion.restoreOf(name)}
      loading={restore.isPending}
      onClick={() => restore.mutate({ id }, { onError: toastError })}
    >
      {deletion.restore}
    </Button>
  );
}
