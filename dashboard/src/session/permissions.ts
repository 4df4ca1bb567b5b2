import { t } from '../texts/index.ts';
import { useTeam } from './session.ts';

/** The scopes of roles and keys. */
export type Scope = `${
  | 'projects'
  | 'links'
  | 'tags'
  | 'domains'
  | 'analytics'
  | 'events'
  | 'installs'
  | 'webhooks'
  | 'alerts'
  | 'health'
  | 'keys'}:${'read' | 'write'}`;

/** Whether the person may do this in the team of the page, and if not, why, for people who would look for it. */
export function useCan(scope: Scope): { isAllowed: boolean; why: string | null } {
  const team = useTeam();
  if (!team?.scopes.includes(scope)) {
    return { isAllowed: false, why: t.common.notAllowed(team ? t.states.roles[team.role] : t.states.roles.viewer) };
  }
  if (team.status === 'read_only' && scope.endsWith(':write')) return { isAllowed: false, why: t.common.readOnlyTeam };
  return { isAllowed: true, why: null };
}
