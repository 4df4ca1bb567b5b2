import type { ResultOf } from '../kernel/graphql.ts';
import type { LINK_ROW } from './operations.ts';

/** A link with what a bulk change may touch, to be able to change it back. */
export type BulkLink = Pick<
  ResultOf<typeof LINK_ROW>,
  'id' | 'shortUrl' | 'domain' | 'tags' | 'archivedAt' | 'expiresAt'
>;

export interface BulkProgress {
  /** Links that were found so far, while all that the filters find are collected; null afterwards. */
  found: number | null;
  done: number;
  failures: { shortUrl: string; message: string }[];
  /** Changed links as they were before, for the way back. */
  before: BulkLink[];
  isStopped: boolean;
}

/** Before what does the change is loaded. */
export const NO_PROGRESS: BulkProgress = { found: null, done: 0, failures: [], before: [], isStopped: false };
