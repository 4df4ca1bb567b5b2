import { Select, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../../kernel/graphql.ts';
import { useChange } from '../../kernel/queries.ts';
import { useCan } from '../../session/permissions.ts';
import type { Team } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { toast, toastError } from '../../ui/toasts.ts';
import { type Member, offeredRoles, type Role } from './operations.ts';

const CHANGE_ROLE = graphql(`
  mutation ChangeMemberRole($teamId: ID!, $userId: ID!, $role: Role!) {
    changeMemberRole(teamId: $teamId, userId: $userId, role: $role) {
      userId
    }
  }
`);

export interface MemberState {
  team: Team;
  member: Member;
  isMe: boolean;
  isLastOwner: boolean;
}

/** The role of a member, to be changed by those who may. Their own, and making an owner, is asked about first. */
export function RoleOf({ team, member, isMe, isLastOwner }: MemberState) {
  const { members } = t.team;
  const { isAllowed } = useCan('team:manage');
  const [asked, setAsked] = useState<Role | null>(null);
  const { email, userId, role } = member;
  const change = useChange({
    document: CHANGE_ROLE,
    touches: isMe ? ['team', 'audit', 'session'] : ['team', 'audit'],
    onDone: () => setAsked(null),
  });
  const give = (next: Role, previous?: Role) =>
    change.mutate(
      { teamId: team.id, userId, role: next },
      {
        onSuccess: () =>
          toast(members.roleChanged(email, t.states.roles[next]), previous && !isMe ? () => give(previous) : undefined),
        onError: toastError,
      },
    );
  const choose = (next: Role) => {
    if (next === role) return;
    if (isMe || next === 'owner') setAsked(next);
    else give(next, role);
  };
  if (!isAllowed) return t.states.roles[role];
  const refusal = isLastOwner
    ? members.lastOwner
    : role === 'owner' && team.role !== 'owner'
      ? members.onlyOwners
      : null;
  if (refusal !== null) {
    return (
      <Tooltip label={refusal} multiline maw={280}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason is shown on focus too */}
        <span tabIndex={0}>
          {t.states.roles[role]}
          <span className="visually-hidden">. {refusal}</span>
        </span>
      </Tooltip>
    );
  }
  return (
    <>
      <Select
        aria-label={members.roleOf(email)}
        size="xs"
        w={140}
        data={offeredRoles(team).map((value) => ({ value, label: t.states.roles[value] }))}
        value={role}
        allowDeselect={false}
        disabled={change.isPending}
        onChange={(next) => next && choose(next as Role)}
      />
      <ConfirmDialog
        isOpen={asked !== null}
        title={members.roleDialog.title(email, t.states.roles[asked ?? role])}
        verb={members.roleDialog.verb}
        isDestructive={isMe}
        isPending={change.isPending}
        onClose={() => setAsked(null)}
        onConfirm={() => asked && give(asked)}
      >
        {isMe ? members.roleDialog.self(t.states.roles[asked ?? role]) : members.roleDialog.owner}
      </ConfirmDialog>
    </>
  );
}
