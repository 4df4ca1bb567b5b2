import { graphql, type ResultOf, type VariablesOf } from '../../kernel/graphql.ts';

export const AUDIT_LOG = graphql(`
  query AuditLog(
    $teamId: ID!
    $actorId: ID
    $actions: [String!]
    $subjectId: ID
    $projectId: ID
    $createdAfter: DateTimeISO
    $createdBefore: DateTimeISO
    $limit: Int
    $cursor: String
  ) {
    auditLog(
      teamId: $teamId
      actorId: $actorId
      actions: $actions
      subjectId: $subjectId
      projectId: $projectId
      createdAfter: $createdAfter
      createdBefore: $createdBefore
      limit: $limit
      cursor: $cursor
    ) {
      data {
        id
        createdAt
        action
        about
        actor {
          kind
          id
          name
        }
        projectId
        subjectId
        subjectName
        details
      }
      nextCursor
    }
  }
`);

export type AuditEntry = ResultOf<typeof AUDIT_LOG>['auditLog']['data'][number];
export type AuditFilters = Omit<VariablesOf<typeof AUDIT_LOG>, 'limit' | 'cursor'>;
