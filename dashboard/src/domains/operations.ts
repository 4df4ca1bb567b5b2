import { graphql, type ResultOf } from '../kernel/graphql.ts';

export const DOMAINS = graphql(`
  query Domains($projectId: ID!, $cursor: String) {
    domains(projectId: $projectId, cursor: $cursor, limit: 50) {
      data {
        id
        hostname
        unicodeHostname
        kind
        status
        problem
        checkedAt
      }
      nextCursor
    }
  }
`);

export const DOMAIN = graphql(`
  query Domain($id: ID!) {
    domain(id: $id) {
      id
      projectId
      hostname
      unicodeHostname
      kind
      status
      problem
      checkedAt
      verifiedAt
      linkCount
      rootDestination
      notFoundDestination
      expiredDestination
      managedBy
      verification {
        type
        name
        nameInZone
        value
        purpose
        about
        found
        isSet
      }
    }
  }
`);

export const VERIFY_DOMAIN = graphql(`
  mutation VerifyDomain($id: ID!) {
    verifyDomain(id: $id) {
      id
      status
    }
  }
`);

export type OneDomain = ResultOf<typeof DOMAIN>['domain'];
export type DomainRecord = OneDomain['verification'][number];
