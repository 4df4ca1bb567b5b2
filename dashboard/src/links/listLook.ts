import { useSyncExternalStore } from 'react';
import { type Preferences, readPreference, writePreference } from '../kernel/storage.ts';

/** Columns of the list that can be hidden. The link itself always stays. */
export const COLUMNS = ['state', 'tags', 'clicks', 'last', 'created'] as const;
export type ColumnName = (typeof COLUMNS)[number];

export interface ListLook {
  isCompact: boolean;
  hidden: readonly ColumnName[];
}

const listeners = new Set<() => void>();
let look: ListLook | null = null;

/** How the list looks in this browser: its density and its columns. Both are kept for the next visit. */
export function useListLook(): ListLook {
  return useSyncExternalStore(subscribe, currentLook);
}

export function setCompact(isCompact: boolean): void {
  keep('density', isCompact ? 'compact' : 'comfortable');
}

export function setHidden(column: ColumnName, isHidden: boolean): void {
  const others = currentLook().hidden.filter((name) => name !== column);
  keep('hiddenColumns', isHidden ? [...others, column] : others);
}

function keep<Name extends 'density' | 'hiddenColumns'>(name: Name, value: Preferences[Name]): void {
  writePreference(name, value);
  look = null;
  for (const listener of listeners) listener();
}

/** The same object until something changes, as React wants it of a store. */
function currentLook(): ListLook {
  const kept = readPreference('hiddenColumns');
  look ??= {
    isCompact: readPreference('density') === 'compact',
    hidden: COLUMNS.filter((name) => Array.isArray(kept) && kept.includes(name)),
  };
  return look;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
