import { useSyncExternalStore } from 'react';
import { readDraft, writeDraft } from '../kernel/storage.ts';

/** Where the ids are kept, so that a reload of another page does not forget them. */
const NAME = 'imports.watched';

let ids: readonly string[] | null = null;
const listeners = new Set<() => void>();

/** From now on a toast tells when this import ends, whichever page is shown then. */
export function watchImport(id: string): void {
  if (!watched().includes(id)) set([...watched(), id]);
}

export function unwatchImport(id: string): void {
  set(watched().filter((one) => one !== id));
}

/** The imports of this tab that have not ended yet, as far as is known. */
export function useWatchedImports(): readonly string[] {
  return useSyncExternalStore(subscribe, watched);
}

function watched(): readonly string[] {
  ids ??= (readDraft(NAME) as string[] | null) ?? [];
  return ids;
}

function set(changed: readonly string[]): void {
  ids = changed;
  writeDraft(NAME, changed.length > 0 ? changed : null);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
