import { graphql } from '../../kernel/graphql.ts';

export const LINK = graphql(`
  query Link($id: ID!) {
    link(id: $id) {
      id
      projectId
      shortUrl
      domain
      slug
      destination
      title
      notes
      tags
      status
      clicks
      clickLimit
      lastClickedAt
      createdAt
      createdBy {
        kind
        name
      }
      updatedAt
      startsAt
      expiresAt
      expiredDestination
      flaggedAt
      flagReason
      reviewRequestedAt
      externalId
      managedBy
      passwordProtected
      data
      utm {
        source
        medium
        campaign
        term
        content
      }
      routingJson
    }
  }
`);
