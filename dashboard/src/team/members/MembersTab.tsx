import { useState } from 'react';
import { usePages } from '../../kernel/queries.ts';
import { formatDate } from '../../kernel/times.ts';
import { type Team, useSession } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { IconAlert, IconCheck } from '../../ui/icons.ts';
import { dialogOnDemand } from '../../ui/onDemand.tsx';
import { Card } from '../../ui/Page.tsx';
import { type Column, RecordTable } from '../../ui/RecordTable.tsx';
import { Chip, StateChip } from '../../ui/StateChip.tsx';
import { Time } from '../../ui/Time.tsx';
import type { Ended } from './EndedKeys.tsx';
import { InvitationsCard } from './InvitationsCard.tsx';
import { MemberActions } from './MemberActions.tsx';
import { isManager, MEMBERS, type Member } from './operations.ts';
import { RoleOf } from './RoleOf.tsx';

const EndedKeys = dialogOnDemand(
  () => import('./EndedKeys.tsx').then(({ EndedKeys }) => EndedKeys),
  ({ ended }) => ended !== null,
);

/** Who is in the team, who is invited, and what somebody leaves behind. */
export function MembersTab({ team }: { team: Team }) {
  const { user } = useSession();
  const [ended, setEnded] = useState<Ended | null>(null);
  const query = usePages({
    about: 'team',
    document: MEMBERS,
    variables: { teamId: team.id },
    pageOf: (data) => data.members,
  });
  const { members } = t.team;
  const owners = query.rows.filter(({ role, mayReturnUntil }) => role === 'owner' && mayReturnUntil === null);
  const stateOf = (member: Member) => ({
    team,
    member,
    isMe: member.userId === user.id,
    // Among members that are not loaded yet there may be another owner: then the server decides.
    isLastOwner: member.role === 'owner' && member.mayReturnUntil === null && owners.length === 1 && !query.hasNextPage,
  });
  const secondFactor: Column<Member> = {
    title: members.secondFactor,
    cell: ({ secondFactor }) => (
      <StateChip look={secondFactor ? { tone: 'good', icon: IconCheck } : { tone: 'warn', icon: IconAlert }}>
        {secondFactor ? members.secondFactorOn : members.secondFactorOff}
      </StateChip>
    ),
  };
  return (
    <>
      <Card title={members.title} isFlush>
        <RecordTable
          label={members.title}
          rows={query.rows}
          keyOf={({ userId }) => userId}
          query={query}
          empty={null}
          columns={[
            {
              title: members.email,
              cell: ({ email, userId, mayReturnUntil }) => (
                <>
                  {email} {userId === user.id ? <Chip tone="accent">{members.you}</Chip> : null}
                  {mayReturnUntil === null ? null : (
                    <Chip tone="warn" isSentence>
                      {members.mayReturn(formatDate(mayReturnUntil))}
                    </Chip>
                  )}
                </>
              ),
            },
            { title: members.role, cell: (member) => <RoleOf {...stateOf(member)} />, isWords: true },
            { title: members.since, cell: ({ createdAt }) => <Time at={createdAt} />, isWords: true },
            ...(isManager(team) ? [secondFactor] : []),
            {
              title: members.actions,
              cell: (member) => <MemberActions {...stateOf(member)} onEnded={setEnded} />,
            },
          ]}
        />
      </Card>
      <InvitationsCard team={team} />
      <EndedKeys ended={ended} onClose={() => setEnded(null)} />
    </>
  );
}
