import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { refresh } from '../kernel/queries.ts';
import { type Project, useProject, useSession, useTeam } from './session.ts';

/** Where something belongs: to a project, or to a team as a whole. */
export interface Place {
  projectId: string | null;
  teamId?: string;
}

/**
 * For a page whose address names a thing: mails and colleagues name the thing alone, while the project of the page is the one used
 * last. Puts the project or team of the thing into the address, so that the header, rights, lists and forms are those of its place.
 *
 * @param thing undefined while it is not known yet
 * @returns whether the page stands in the place of the thing; until then it shows nothing of it
 */
export function useItsPlace(thing: Place | undefined): boolean {
  const navigate = useNavigate();
  const { projects } = useSession();
  const project = useProject();
  const team = useTeam();
  const place = thing && placeOf(thing, projects, project);
  // Also of a project that was made since the session was asked for.
  const isUnknown = place?.project !== undefined && !projects.some(({ id }) => id === place.project);
  const isElsewhere =
    place !== undefined &&
    ((place.project !== undefined && place.project !== project?.id) ||
      (place.team !== undefined && place.team !== team?.id));
  const [wantedProject, wantedTeam] = [place?.project, place?.project === undefined ? place?.team : undefined];
  useEffect(() => {
    if (isUnknown) void refresh(['session']);
  }, [isUnknown]);
  useEffect(() => {
    if (!isElsewhere || isUnknown) return;
    const search = (earlier: object) => ({ ...earlier, project: wantedProject, team: wantedTeam });
    void navigate({ to: '.', search, replace: true, resetScroll: false } as never);
  }, [isElsewhere, isUnknown, wantedProject, wantedTeam, navigate]);
  return !isElsewhere || isUnknown;
}

/** What belongs to a whole team is shown with a project of the team: that of the page, if it is one. */
function placeOf({ projectId, teamId }: Place, projects: readonly Project[], current: Project | null) {
  const ofTeam = current?.teamId === teamId ? current : projects.find((one) => one.teamId === teamId);
  return { project: projectId ?? (teamId === undefined ? undefined : ofTeam?.id), team: teamId };
}
