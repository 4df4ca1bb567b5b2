import { graphql } from '../../kernel/graphql.ts';

export const LINK_TO_EDIT = graphql(`
  query LinkToEdit($id: ID!) {
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
      utm {
        source
        medium
        campaign
        term
        content
      }
      routing: routingJson
      data
      preview {
        title
        description
        imageUrl
      }
      startsAt
      expiresAt
      clickLimit
      clicks
      expiredDestination
      passwordProtected
      matchWindowSeconds
      externalId
      managedBy
      updatedAt
    }
  }
`);

export const DRAFT_LINK = graphql(`
  query DraftLink($projectId: ID!, $linkId: ID, $input: DraftLinkInput!, $visitor: VisitorInput) {
    draftLink(projectId: $projectId, linkId: $linkId, input: $input, visitor: $visitor) {
      problems {
        path
        message
        rule
        limit
      }
      slugTaken
      shortUrl
      duplicates {
        id
        shortUrl
      }
      trace {
        steps {
          rule
          matched
          why
        }
        outcome {
          kind
          destination
        }
      }
    }
  }
`);
