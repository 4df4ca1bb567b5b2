import { graphql, type ResultOf } from '../kernel/graphql.ts';

/** What the page shows first. */
export const OVERVIEW = graphql(`
  query Overview($projectId: ID!, $timezone: String) {
    week: analytics(
      projectId: $projectId
      interval: "7d"
      timezone: $timezone
      groupBy: link
      limit: 5
      compare: true
    ) {
      previousStart
      previousEnd
      timezone
      total {
        count
        unique
      }
      previous {
        count
        unique
      }
      data {
        key
        label
        count
      }
    }
    links(projectId: $projectId, limit: 5) {
      data {
        id
        shortUrl
        title
        destination
        createdAt
      }
    }
  }
`);

/** What needs attention, and how far the first steps are. Asked every few seconds while somebody takes them: it must be cheap. */
export const SETUP = graphql(`
  query OverviewSetup($projectId: ID!) {
    alertCounts(projectId: $projectId) {
      critical
      warning
      info
    }
    alerts(projectId: $projectId, status: open, limit: 3) {
      data {
        id
        title
        severity
        createdAt
      }
    }
    newest: links(projectId: $projectId, limit: 1) {
      data {
        id
        shortUrl
        clicks
      }
    }
    clicked: links(projectId: $projectId, limit: 1, sort: clicks, order: desc) {
      data {
        clicks
      }
    }
    webhooks(projectId: $projectId, limit: 100) {
      data {
        id
        url
        status
        circuit
      }
    }
    keys(projectId: $projectId, limit: 100) {
      data {
        kind
        lastUsedAt
      }
    }
    domains(projectId: $projectId, limit: 1) {
      data {
        id
      }
    }
  }
`);

export type OverviewData = ResultOf<typeof OVERVIEW>;
export type SetupData = ResultOf<typeof SETUP>;
