import { Stack } from '@mantine/core';
import { useState } from 'react';
import { GuardedButton } from '../../session/GuardedButton.tsx';
import type { Team } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { dialogOnDemand } from '../../ui/onDemand.tsx';
import { Card } from '../../ui/Page.tsx';
import { LeaveSurvivalMode } from '../public.ts';

const SurvivalDialog = dialogOnDemand(
  () => import('./SurvivalDialog.tsx').then(({ SurvivalDialog }) => SurvivalDialog),
  ({ isOpen }) => isOpen,
);

/** What survival mode does, and the way into it and out of it. */
export function SurvivalCard({ team }: { team: Team }) {
  const { survival } = t.team;
  const [isEntering, setIsEntering] = useState(false);
  const isOn = team.status === 'read_only';
  return (
    <Card title={isOn ? survival.on : survival.title}>
      <Stack align="flex-start">
        {isOn ? (
          <div>
            {survival.reasonIs} {team.readOnlyReason}
          </div>
        ) : (
          <div>{survival.about}</div>
        )}
        <div>
          {survival.stops} {survival.goesOn}
        </div>
        {!isOn ? (
          <GuardedButton scope="team:own" variant="default" onClick={() => setIsEntering(true)}>
            {survival.enter}
          </GuardedButton>
        ) : team.role === 'owner' ? (
          <LeaveSurvivalMode teamId={team.id} />
        ) : (
          <div>{survival.onlyOwner}</div>
        )}
      </Stack>
      <SurvivalDialog isOpen={isEntering} team={team} onClose={() => setIsEntering(false)} />
    </Card>
  );
}
