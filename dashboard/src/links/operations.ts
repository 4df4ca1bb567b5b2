import { graphql } from '../kernel/graphql.ts';

/** What a row of the list shows, and what its menu needs. */
export const LINK_ROW = graphql(`
  fragment LinkRow on Link {
    id
    shortUrl
    domain
    slug
    title
    destination
    status
    tags
    clicks
    lastClickedAt
    createdAt
    archivedAt
    expiresAt
    passwordProtected
    clickLimit
    routing {
      openApp
      rules {
        name
      }
      split {
        weight
      }
    }
  }
`);

export const LINKS = graphql(
  `
    query Links(
      $projectId: ID!
      $cursor: String
      $limit: Int!
      $sort: LinkSort
      $order: SortOrder
      $search: String
      $tags: [String!]
      $tagMode: TagMode
      $isUntagged: Boolean
      $status: LinkStatus
      $domain: String
      $createdAfter: DateTimeISO
      $createdBefore: DateTimeISO
      $batchId: String
      $createdBy: ID
      $hasRouting: Boolean
    ) {
      links(
        projectId: $projectId
        cursor: $cursor
        limit: $limit
        sort: $sort
        order: $order
        search: $search
        tags: $tags
        tagMode: $tagMode
        isUntagged: $isUntagged
        status: $status
        domain: $domain
        createdAfter: $createdAfter
        createdBefore: $createdBefore
        batchId: $batchId
        createdBy: $createdBy
        hasRouting: $hasRouting
      ) {
        data {
          ...LinkRow
        }
        nextCursor
      }
    }
  `,
  [LINK_ROW],
);

export const LINK_FACETS = graphql(`
  query LinkFacets(
    $projectId: ID!
    $search: String
    $tags: [String!]
    $tagMode: TagMode
    $isUntagged: Boolean
    $status: LinkStatus
    $domain: String
    $createdAfter: DateTimeISO
    $createdBefore: DateTimeISO
    $batchId: String
    $createdBy: ID
    $hasRouting: Boolean
  ) {
    linkFacets(
      projectId: $projectId
      search: $search
      tags: $tags
      tagMode: $tagMode
      isUntagged: $isUntagged
      status: $status
      domain: $domain
      createdAfter: $createdAfter
      createdBefore: $createdBefore
      batchId: $batchId
      createdBy: $createdBy
      hasRouting: $hasRouting
    ) {
      count
      statuses {
        key
        count
      }
      tags {
        key
        count
      }
      domains {
        key
        count
      }
    }
  }
`);

export const BULK_CREATE = graphql(`
  mutation BulkCreateLinks($input: BulkCreateLinksInput!) {
    bulkCreateLinks(input: $input) {
      batchId
      counts {
        created
        failed
      }
      results {
        index
        status
        error {
          message
        }
      }
    }
  }
`);
