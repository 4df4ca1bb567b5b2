import { Button, Stack, Tooltip } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql, type ResultOf } from '../kernel/graphql.ts';
import { useAsk, useChange } from '../kernel/queries.ts';
import { formatDays } from '../kernel/times.ts';
import { useSession } from '../session/session.ts';
import { forgetPerson } from '../session/useSignOut.ts';
import { t } from '../texts/index.ts';
import { attemptProblems } from '../ui/attemptProblems.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { Card } from '../ui/Page.tsx';
import { RecordTable } from '../ui/RecordTable.tsx';
import { EmptyState } from '../ui/states.tsx';
import { DeletedTeams } from './DeletedTeams.tsx';

const ACCOUNT_CONTENTS = graphql(`
  query AccountContents {
    accountContents {
      teams {
        id
        name
        role
        isSoleOwner
        isOnlyMember
        keys
        webhooks
      }
    }
  }
`);

const DELETE_ACCOUNT = graphql(`
  mutation DeleteAccount($password: String!, $code: String) {
    deleteAccount(password: $password, code: $code) {
      deletionAt
    }
  }
`);

type Team = ResultOf<typeof ACCOUNT_CONTENTS>['accountContents']['teams'][number];

/** What goes with the account and what stays, and what must be done before. */
export function DeleteTab() {
  const { deletion } = t.account;
  const query = useAsk({ about: 'account', document: ACCOUNT_CONTENTS, variables: {} });
  const { service } = useSession();
  const teams = query.data?.accountContents.teams ?? [];
  return (
    <>
      <Card title={deletion.title}>
        <Stack align="flex-start">
          <div>{deletion.about(formatDays(service.deletionDays))}</div>
          {query.data ? <DeleteButton teams={teams} /> : null}
        </Stack>
      </Card>
      <Card title={deletion.teams} isFlush>
        <RecordTable
          label={deletion.teams}
          rows={teams}
          keyOf={({ id }) => id}
          query={query}
          empty={<EmptyState title={deletion.noTeams} />}
          columns={[
            { title: deletion.columns.team, cell: ({ name }) => <b>{name}</b>, isName: true },
            { title: deletion.columns.role, cell: ({ role }) => t.states.roles[role] },
            { title: deletion.columns.fate, cell: (team) => <Fate team={team} />, isWords: true },
            {
              title: deletion.columns.keys,
              cell: ({ keys }) => (keys === 0 ? deletion.noKeys : deletion.keysEnd(keys)),
              isWords: true,
            },
            { title: deletion.columns.webhooks, cell: (team) => <Webhooks team={team} />, isWords: true },
          ]}
        />
      </Card>
      <DeletedTeams />
    </>
  );
}

/** The team would be left without an owner. */
function isBlocking({ isSoleOwner, isOnlyMember }: Team): boolean {
  return isSoleOwner && !isOnlyMember;
}

function Fate({ team }: { team: Team }) {
  const { deletion } = t.account;
  if (!isBlocking(team)) return team.isOnlyMember ? deletion.goes : deletion.leaves;
  return (
    <>
      {deletion.blocks}{' '}
      <Link to="/team" search={{ team: team.id }}>
        {deletion.toTeam}
      </Link>
    </>
  );
}

function Webhooks({ team: { webhooks, isOnlyMember } }: { team: Team }) {
  const { deletion } = t.account;
  if (webhooks === 0) return deletion.noWebhooks;
  return isOnlyMember ? deletion.webhooksEnd(webhooks) : deletion.webhooksGoOn(webhooks);
}

function DeleteButton({ teams }: { teams: readonly Team[] }) {
  const { deletion } = t.account;
  const router = useRouter();
  const { service, user } = useSession();
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const remove = useChange({
    document: DELETE_ACCOUNT,
    touches: [],
    onDone: ({ deleteAccount: { deletionAt } }) => {
      forgetPerson();
      void router.navigate({ to: '/sign-in', search: { deleted: deletionAt }, ignoreBlocker: true });
    },
  });
  if (teams.some(isBlocking)) {
    return (
      <Tooltip label={deletion.blocked}>
        {/* Not `disabled`, which would take it out of the order of the keyboard, and the reason with it. */}
        <Button data-disabled aria-disabled onClick={(event) => event.preventDefault()}>
          {deletion.action}
        </Button>
      </Tooltip>
    );
  }
  const lost = teams.filter(({ isOnlyMember }) => isOnlyMember).length;
  const keys = teams.reduce((sum, team) => sum + team.keys, 0);
  // Those of a team that is deleted end with it.
  const webhooks = teams.reduce((sum, team) => sum + (team.isOnlyMember ? 0 : team.webhooks), 0);
  return (
    <>
      <Button
        color="red"
        variant="light"
        onClick={() => {
          setProblem(null);
          setIsAsking(true);
        }}
      >
        {deletion.action}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={deletion.confirmTitle}
        verb={deletion.action}
        asksPassword
        asksCode={user.secondFactor}
        problem={problem}
        isPending={remove.isPending}
        onClose={() => setIsAsking(false)}
        onConfirm={(password, code) => {
          setProblem(null);
          remove.mutate({ password, code }, { onError: (error) => setProblem(attemptProblems(null, error).join(' ')) });
        }}
      >
        {deletion.confirmBody({ teams: lost, keys, webhooks }, formatDays(service.deletionDays))}
      </ConfirmDialog>
    </>
  );
}
