import { graphql, type ResultOf } from '../kernel/graphql.ts';

export const KEYS = graphql(`
  query Keys($projectId: ID!, $cursor: String) {
    keys(projectId: $projectId, cursor: $cursor, limit: 100) {
      data {
        id
        name
        kind
        key
        scopes
        lastFour
        lastUsedAt
        expiresAt
        revokedAt
        endsWithMember
        creatorName
      }
      nextCursor
    }
  }
`);

export type Key = ResultOf<typeof KEYS>['keys']['data'][number];

/** Whether requests with the key are answered. */
export function isWorking({ revokedAt, expiresAt }: Key, now: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now);
}
