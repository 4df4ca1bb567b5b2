import { useRef, useState } from 'react';
import { formatExact } from '../kernel/numbers.ts';
import { refresh } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { toast, toastError } from '../ui/toasts.ts';
import type { BulkAction } from './bulkChanges.ts';
import { type BulkLink, type BulkProgress, NO_PROGRESS } from './bulkProgress.ts';
import type { LinkFilters } from './filters.ts';
import type { Selecting, Selection } from './selection.ts';

interface BulkOptions {
  projectId: string;
  filters: LinkFilters;
  rows: readonly BulkLink[];
  selecting: Selecting;
}

export interface Bulk {
  run: (action: BulkAction, count: number) => void;
  stop: () => void;
  close: () => void;
  /** Null: nothing was begun. */
  state: { total: number; progress: BulkProgress; isRunning: boolean } | null;
}

/** A change of many links, with its progress, a stop, and the way back where there is one. Its code is loaded on first use. */
export function useBulk({ projectId, filters, rows, selecting }: BulkOptions): Bulk {
  const [state, setState] = useState<Bulk['state']>(null);
  const stopping = useRef<AbortController>(null);
  const start = async (action: BulkAction, total: number, selection: Selection, known: readonly BulkLink[]) => {
    const controller = new AbortController();
    stopping.current = controller;
    setState({ total, progress: NO_PROGRESS, isRunning: true });
    const onProgress = (progress: BulkProgress) => setState({ total, progress, isRunning: true });
    try {
      const { signal } = controller;
      const [{ runBulk }, { wayBack }] = await Promise.all([import('./bulk.ts'), import('./bulkChanges.ts')]);
      const progress = await runBulk({ projectId, filters, selection, rows: known, action, signal, onProgress });
      // What was refused stays to be read; otherwise a toast is enough.
      setState(progress.failures.length > 0 ? { total, progress, isRunning: false } : null);
      sayDone(action, progress, total, wayBack(action, progress.before));
      return progress;
    } catch (error) {
      setState(null);
      if (!controller.signal.aborted) toastError(error);
      return null;
    } finally {
      void refresh(['links', 'tags']);
    }
  };
  const sayDone = (action: BulkAction, { before, isStopped }: BulkProgress, total: number, back: BulkAction | null) => {
    if (before.length === 0 && !isStopped) return;
    const ids = new Set(before.map(({ id }) => id));
    const undo = back && (() => void start(back, ids.size, { kind: 'some', ids }, before));
    toast(wordsOf(action, before.length, isStopped, total), undo ?? undefined);
  };
  const run = async (action: BulkAction, count: number) => {
    const progress = await start(action, count, selecting.selection, rows);
    if (progress) selecting.clear();
  };
  return {
    run: (action, count) => void run(action, count),
    stop: () => stopping.current?.abort(),
    close: () => setState(null),
    state,
  };
}

function wordsOf(action: BulkAction, count: number, isStopped: boolean, total: number): string {
  const { bulk } = t.links;
  if (isStopped) return bulk.stopped(formatExact(count), formatExact(total));
  if (action.kind === 'delete') return bulk.deleted(formatExact(count), count);
  if (action.kind === 'restore') return bulk.undone(formatExact(count), count);
  if (action.kind === 'set' && 'archived' in action.set) {
    return (action.set.archived ? bulk.archived : bulk.unarchived)(formatExact(count), count);
  }
  return bulk.done(formatExact(count), count);
}
