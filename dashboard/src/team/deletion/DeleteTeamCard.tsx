import { Stack } from '@mantine/core';
import { useState } from 'react';
import { formatDays } from '../../kernel/times.ts';
import { GuardedButton } from '../../session/GuardedButton.tsx';
import { type Team, useSession } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { dialogOnDemand } from '../../ui/onDemand.tsx';
import { Card } from '../../ui/Page.tsx';

const DeleteTeamDialog = dialogOnDemand(
  () => import('./DeleteTeamDialog.tsx').then(({ DeleteTeamDialog }) => DeleteTeamDialog),
  ({ isOpen }) => isOpen,
);

export function DeleteTeamCard({ team }: { team: Team }) {
  const { deletion } = t.team;
  const { service } = useSession();
  const [isAsked, setIsAsked] = useState(false);
  return (
    <Card title={deletion.title}>
      <Stack align="flex-start" gap={8}>
        <div>{deletion.about(formatDays(service.deletionDays))}</div>
        <GuardedButton scope="team:own" variant="default" onClick={() => setIsAsked(true)}>
          {deletion.action}
        </GuardedButton>
      </Stack>
      <DeleteTeamDialog isOpen={isAsked} team={team} onClose={() => setIsAsked(false)} />
    </Card>
  );
}
