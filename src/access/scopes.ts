import type { Role } from '../models/Membership.ts';

/** Every scope that a key can have; roles are sets of the same scopes. */
export const SCOPES = [
  'projects:read',
  'projects:write',
  'links:read',
  'links:write',
  'tags:read',
  'tags:write',
  'domains:read',
  'domains:write',
  'analytics:read',
  'events:read',
  'installs:read',
  'installs:write',
  'webhooks:read',
  'webhooks:write',
  'alerts:read',
  'alerts:write',
  'health:read',
  'health:write',
  'keys:read',
  'keys:write',
] as const;

export type Scope = (typeof SCOPES)[number];

const READ = SCOPES.filter((scope) => scope.endsWith(':read'));
const ADMINS_ONLY: readonly Scope[] = ['keys:write', 'domains:write', 'projects:write'];

/** The scopes of each role. */
export const ROLE_SCOPES: Record<Role, readonly Scope[]> = {
  owner: SCOPES,
  admin: SCOPES,
  member: SCOPES.filter((scope) => !ADMINS_ONLY.includes(scope)),
  viewer: READ,
};

/** The scopes with `*` and `*:read` written out, in the order of the list. */
export function expandScopes(given: readonly string[]): Scope[] {
  const wanted = new Set(given);
  return SCOPES.filter(
    (scope) => wanted.has('*') || wanted.has(scope) || (wanted.has('*:read') && READ.includes(scope)),
  );
}
