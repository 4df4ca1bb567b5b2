import { graphql } from '../kernel/graphql.ts';

/** The one call that changes many links. */
export const BULK_UPDATE = graphql(`
  mutation BulkUpdateLinks($input: BulkUpdateLinksInput!) {
    bulkUpdateLinks(input: $input) {
      results {
        index
        status
        error {
          code
          message
        }
      }
    }
  }
`);
