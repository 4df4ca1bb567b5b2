import { useSession } from '../session/session.ts';
import { onDemand } from '../ui/onDemand.tsx';

const TeamField = onDemand(() => import('./TeamField.tsx').then(({ TeamField }) => TeamField));

/** The choice among the teams of the person. Nothing for people with one team, as most are. */
export function TeamSelect({ teamId }: { teamId: string }) {
  const { teams } = useSession();
  return teams.length < 2 ? null : <TeamField teams={teams} teamId={teamId} />;
}
