import { graphql, type ResultOf } from '../../kernel/graphql.ts';
import type { Team } from '../../session/session.ts';

export const MEMBERS = graphql(`
  query Members($teamId: ID!, $cursor: String) {
    members(teamId: $teamId, cursor: $cursor, limit: 100) {
      data {
        userId
        email
        role
        secondFactor
        createdAt
      }
      nextCursor
    }
  }
`);

export type Member = ResultOf<typeof MEMBERS>['members']['data'][number];
export type Role = Member['role'];

export const ENDED_KEYS = graphql(`
  fragment EndedKeys on EndedMembership @_unmask {
    keys {
      id
      name
      lastFour
      expiresAt
      projectId
    }
  }
`);

export type EndedKey = ResultOf<typeof ENDED_KEYS>['keys'][number];

const ROLES = ['owner', 'admin', 'member', 'viewer'] as const satisfies Role[];

/** The roles that the person may give: only owners make owners. */
export function offeredRoles({ role }: Team): readonly Role[] {
  return role === 'owner' ? ROLES : ROLES.filter((one) => one !== 'owner');
}

export function isManager({ role }: Team): boolean {
  return role === 'owner' || role === 'admin';
}
