import { t } from '../texts/index.ts';
import { type Team, useTeam } from './session.ts';

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

/** What roles allow beside scopes: `manage` for owners and admins, `own` for owners. */
type TeamRight = 'team:manage' | 'team:own';

const MANAGERS: readonly string[] = ['owner', 'admin'];

export type Right = Scope | TeamRight;

/** Whether the person may do this in the team of the page, and if not, why, for people who would look for it. */
export function useCan(right: Right): { isAllowed: boolean; why: string | null } {
  const team = useTeam();
  if (!team || !allows(team, right)) {
    return { isAllowed: false, why: t.common.notAllowed(t.states.roles[team?.role ?? 'viewer']) };
  }
  if (team.status === 'read_only' && !right.endsWith(':read')) return { isAllowed: false, why: t.common.readOnlyTeam };
  return { isAllowed: true, why: null };
}

function allows({ role, scopes }: Team, right: Right): boolean {
  if (right === 'team:own') return role === 'owner';
  if (right === 'team:manage') return MANAGERS.includes(role);
  return scopes.includes(right);
}
