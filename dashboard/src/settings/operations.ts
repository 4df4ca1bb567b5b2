import { graphql, type ResultOf } from '../kernel/graphql.ts';

export const PROJECT = graphql(`
  query ProjectSettings($id: ID!) {
    project(id: $id) {
      id
      teamId
      name
      defaultDomain
      matchWindowSeconds
      probabilisticMatching
      maxEventValue
      appsJson
      apps {
        ... on IosApp {
          platform
          bundleId
          teamId
          appStoreId
          scheme
        }
        ... on AndroidApp {
          platform
          package
          sha256Fingerprints
          scheme
        }
      }
    }
  }
`);

export const UPDATE_PROJECT = graphql(`
  mutation UpdateProject($id: ID!, $input: UpdateProjectInput!) {
    updateProject(id: $id, input: $input) {
      id
    }
  }
`);

export type OneProject = ResultOf<typeof PROJECT>['project'];
export type ProjectApp = OneProject['apps'][number];
