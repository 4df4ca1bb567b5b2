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

export const CREATE_LINK = graphql(`
  mutation CreateLink($input: CreateLinkInput!) {
    createLink(input: $input) {
      id
      shortUrl
    }
  }
`);

export const UPDATE_LINK = graphql(`
  mutation UpdateLink($id: ID!, $input: UpdateLinkInput!, $ifUpdatedAt: DateTimeISO) {
    updateLink(id: $id, input: $input, ifUpdatedAt: $ifUpdatedAt) {
      id
      shortUrl
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
