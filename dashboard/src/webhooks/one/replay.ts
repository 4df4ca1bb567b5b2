import { graphql } from '../../kernel/graphql.ts';

/** How many events a replay would send. */
export const REPLAY_PREVIEW = graphql(`
  query ReplayPreview($id: ID!, $input: ReplayInput!) {
    replayPreview(id: $id, input: $input) {
      count
    }
  }
`);
