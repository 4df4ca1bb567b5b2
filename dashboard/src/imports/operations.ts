import { graphql, type ResultOf } from '../kernel/graphql.ts';

export const IMPORT = graphql(`
  query Import($id: ID!) {
    import(id: $id) {
      id
      projectId
      sourceFormat
      status
      dryRun
      onConflict
      batchId
      counts {
        rows
        created
        updated
        skipped
        failed
      }
      progress
      unknownColumns
      message
      createdAt
      finishedAt
    }
  }
`);

/** How often an import that goes on is asked for. */
export const POLL_MS = 1000;

export type OneImport = ResultOf<typeof IMPORT>['import'];
export type ImportFormat = OneImport['sourceFormat'];
export type OnConflict = OneImport['onConflict'];

/** States in which an import still goes on. */
export function isUnderWay({ status }: Pick<OneImport, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}
