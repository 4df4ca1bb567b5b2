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
        mayReturnUntil
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
    webhooks {
      id
      url
      projectId
    }
  }
`);

export const DISABLE_WEBHOOKS = graphql(`
  mutation DisableWebhooksOfMember($teamId: ID!, $userId: ID!) {
    disableWebhooksOfMember(teamId: $teamId, userId: $userId) {
      id
    }
  }
`);

export type LeftWebhook = ResultOf<typeof ENDED_KEYS>['webhooks'][number];
export type EndedKey = ResultOf<typeof ENDED_KEYS>['keys'][number];

const ROLES = ['owner', 'admin', 'member', 'viewer'] as const satisfies Role[];

/** The roles that the person may give: only owners make owners. */
export function offeredRoles({ role }: Team): readonly Role[] {
  return role === 'owner' ? ROLES : ROLES.filter((one) => one !== 'owner');
}

export function isManager({ role }: Team): boolean {
  return role === 'owner' || role === 'admin';
}
