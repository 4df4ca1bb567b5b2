/** The contract's bound of the ids in one event. */
export const MAX_LINK_IDS = 10_000;

/** What became of a batch, in the words of the call or the import that made it. */
export type BatchCounts =
  | { created: number; failed: number }
  | { updated: number; failed: number }
  | { deleted: number; failed: number }
  | { created: number; updated: number; skipped: number; failed: number };

/** A bulk call or an import that has ended. */
export interface BatchFacts {
  batchId: string;
  source: 'bulk' | 'csv';
  action: 'create' | 'update' | 'delete';
  counts: BatchCounts;
  /** Of what was made, changed or deleted; a link that stands twice in a list may stand here twice. */
  linkIds: string[];
}

/** The data of `links.imported`. */
export function presentBatch({ batchId, source, action, counts, linkIds }: BatchFacts) {
  const distinct = [...new Set(linkIds)];
  return {
    batch_id: batchId,
    source,
    action,
    counts,
    link_ids: distinct.slice(0, MAX_LINK_IDS),
    link_ids_truncated: distinct.length > MAX_LINK_IDS,
  };
}
