import type { Team } from '../../session/session.ts';
import { LimitsCard } from './LimitsCard.tsx';
import { NameCard } from './NameCard.tsx';
import { SurvivalCard } from './SurvivalCard.tsx';

/** The name of the team, what it may do while it is new, and survival mode. */
export function SettingsTab({ team }: { team: Team }) {
  return (
    <>
      <NameCard team={team} />
      <LimitsCard team={team} />
      <SurvivalCard team={team} />
    </>
  );
}
