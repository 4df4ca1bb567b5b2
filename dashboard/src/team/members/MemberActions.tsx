import { Button, Group, Tooltip } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql } from '../../kernel/graphql.ts';
import { refresh, useChange } from '../../kernel/queries.ts';
import { useCan } from '../../session/permissions.ts';
import { t } from '../../texts/index.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { toast, toastError } from '../../ui/toasts.ts';
import type { Ended } from './EndedKeys.tsx';
import { ENDED_KEYS } from './operations.ts';
import type { MemberState } from './RoleOf.tsx';

const REMOVE_MEMBER = graphql(
  `
  mutation RemoveMember($teamId: ID!, $userId: ID!) {
    removeMember(teamId: $teamId, userId: $userId) {
      ...EndedKeys
    }
  }
`,
  [ENDED_KEYS],
);

const LEAVE_TEAM = graphql(
  `
  mutation LeaveTeam($teamId: ID!) {
    leaveTeam(teamId: $teamId) {
      ...EndedKeys
    }
  }
`,
  [ENDED_KEYS],
);

interface MemberActionsProps extends MemberState {
  onEnded: (ended: Ended) => void;
}

/** Leaving for oneself, removing for those who may. What ends with the membership is shown afterwards. */
export function MemberActions(props: MemberActionsProps) {
  const { members } = t.team;
  const { email } = props.member;
  const { isAllowed } = useCan('team:manage');
  if (!props.isMe && !isAllowed) return null;
  const mayNot = props.member.role === 'owner' && props.team.role !== 'owner';
  const refusal = props.isLastOwner ? members.lastOwner : !props.isMe && mayNot ? members.onlyOwners : null;
  return (
    <Group role="group" aria-label={members.actionsOf(email)}>
      {refusal !== null ? (
        <Tooltip label={refusal} multiline maw={280}>
          <Button variant="default" size="compact-sm" data-disabled aria-disabled>
            {props.isMe ? members.leave.action : members.remove.action}
          </Button>
        </Tooltip>
      ) : props.isMe ? (
        <Leave {...props} />
      ) : (
        <Remove {...props} />
      )}
    </Group>
  );
}

function Remove({ team, member: { userId, email, mayReturnUntil }, onEnded }: MemberActionsProps) {
  const { remove } = t.team.members;
  const [isAsked, setIsAsked] = useState(false);
  const change = useChange({
    document: REMOVE_MEMBER,
    touches: ['team', 'audit', 'keys'],
    onDone: ({ removeMember: { keys, webhooks } }) => {
      setIsAsked(false);
      toast(remove.done(email));
      if (keys.length + webhooks.length > 0) onEnded({ member: { teamId: team.id, userId, email }, keys, webhooks });
    },
  });
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setIsAsked(true)}>
        {remove.action}
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        title={remove.title(email)}
        verb={remove.action}
        isPending={change.isPending}
        onClose={() => setIsAsked(false)}
        onConfirm={() => change.mutate({ teamId: team.id, userId }, { onError: toastError })}
      >
        {mayReturnUntil === null ? <p>{remove.lost}</p> : <p>{remove.notBack}</p>}
        <p>{remove.keys}</p>
        <p>{remove.stays}</p>
      </ConfirmDialog>
    </>
  );
}

function Leave({ team, onEnded }: MemberActionsProps) {
  const { leave } = t.team.members;
  const navigate = useNavigate();
  const [isAsked, setIsAsked] = useState(false);
  const go = async () => {
    await refresh(['session']);
    await navigate({ to: '/', search: { project: undefined } as never });
  };
  const change = useChange({
    document: LEAVE_TEAM,
    // The lists of this page are of a team that is not theirs any more.
    touches: [],
    onDone: ({ leaveTeam: { keys, webhooks } }) => {
      setIsAsked(false);
      toast(leave.done(team.name));
      if (keys.length + webhooks.length > 0) onEnded({ member: null, keys, webhooks, onClose: () => void go() });
      else void go();
    },
  });
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setIsAsked(true)}>
        {leave.action}
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        title={leave.title(team.name)}
        verb={leave.action}
        isPending={change.isPending}
        onClose={() => setIsAsked(false)}
        onConfirm={() => change.mutate({ teamId: team.id }, { onError: toastError })}
      >
        <p>{leave.lost}</p>
        <p>{leave.stays}</p>
      </ConfirmDialog>
    </>
  );
}
