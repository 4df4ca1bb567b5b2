import { useState } from 'react';
import { graphql, type ResultOf } from '../../kernel/graphql.ts';
import { useChange, usePages } from '../../kernel/queries.ts';
import { GuardedButton } from '../../session/GuardedButton.tsx';
import type { Team } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { IconClock, IconPlus } from '../../ui/icons.ts';
import { dialogOnDemand } from '../../ui/onDemand.tsx';
import { Card } from '../../ui/Page.tsx';
import { type Column, RecordTable } from '../../ui/RecordTable.tsx';
import { StateChip } from '../../ui/StateChip.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time, useNow } from '../../ui/Time.tsx';
import { toast, toastError } from '../../ui/toasts.ts';
import { isManager, offeredRoles } from './operations.ts';

const InviteDialog = dialogOnDemand(
  () => import('./InviteDialog.tsx').then(({ InviteDialog }) => InviteDialog),
  ({ isOpen }) => isOpen,
);

const INVITATIONS = graphql(`
  query Invitations($teamId: ID!, $cursor: String) {
    invitations(teamId: $teamId, cursor: $cursor, limit: 50) {
      data {
        id
        email
        role
        inviterEmail
        expiresAt
      }
      nextCursor
    }
  }
`);

const REVOKE_INVITATION = graphql(`
  mutation RevokeInvitation($id: ID!) {
    revokeInvitation(id: $id)
  }
`);

type Invitation = ResultOf<typeof INVITATIONS>['invitations']['data'][number];

const MINUTE_MS = 60_000;

/** Invitations that were neither accepted nor taken back, and the way to send one. */
export function InvitationsCard({ team }: { team: Team }) {
  const { invitations, members } = t.team;
  const [isInviting, setIsInviting] = useState(false);
  const now = useNow(MINUTE_MS);
  const query = usePages({
    about: 'team',
    document: INVITATIONS,
    variables: { teamId: team.id },
    pageOf: (data) => data.invitations,
  });
  const actions: Column<Invitation> = {
    title: members.actions,
    cell: (invitation) => <Revoke team={team} invitation={invitation} />,
  };
  return (
    <Card
      title={invitations.title}
      isFlush
      actions={
        <GuardedButton scope="team:manage" leftSection={<IconPlus size={16} />} onClick={() => setIsInviting(true)}>
          {invitations.new}
        </GuardedButton>
      }
    >
      <RecordTable
        label={invitations.title}
        rows={query.rows}
        keyOf={({ id }) => id}
        query={query}
        empty={<EmptyState title={invitations.empty} body={invitations.emptyAbout} />}
        columns={[
          { title: members.email, cell: ({ email }) => email },
          { title: members.role, cell: ({ role }) => t.states.roles[role], isWords: true },
          { title: invitations.by, cell: ({ inviterEmail }) => inviterEmail ?? t.common.unknown },
          {
            title: invitations.until,
            cell: ({ expiresAt }) =>
              Date.parse(expiresAt) > now ? (
                <Time at={expiresAt} />
              ) : (
                <StateChip look={{ tone: 'soft', icon: IconClock }}>{invitations.expired}</StateChip>
              ),
            isWords: true,
          },
          ...(isManager(team) ? [actions] : []),
        ]}
      />
      <InviteDialog isOpen={isInviting} team={team} onClose={() => setIsInviting(false)} />
    </Card>
  );
}

function Revoke({ team, invitation: { id, email, role } }: { team: Team; invitation: Invitation }) {
  const { invitations } = t.team;
  const [isAsked, setIsAsked] = useState(false);
  const revoke = useChange({
    document: REVOKE_INVITATION,
    touches: ['team', 'audit'],
    onDone: () => {
      setIsAsked(false);
      toast(invitations.revoked);
    },
  });
  // An admin cannot undo what only owners may do.
  if (!offeredRoles(team).includes(role)) return null;
  return (
    <>
      <GuardedButton
        scope="team:manage"
        variant="default"
        size="compact-sm"
        aria-label={invitations.revokeOf(email)}
        onClick={() => setIsAsked(true)}
      >
        {invitations.revoke}
      </GuardedButton>
      <ConfirmDialog
        isOpen={isAsked}
        title={invitations.revokeTitle(email)}
        verb={invitations.revoke}
        isPending={revoke.isPending}
        onClose={() => setIsAsked(false)}
        onConfirm={() => revoke.mutate({ id }, { onError: toastError })}
      >
        {invitations.revokeBody}
      </ConfirmDialog>
    </>
  );
}
