import { useMemo, useRef, useState } from 'react';

/** Which links a bulk change is for: some by id, or all that the filters find. */
export type Selection = { kind: 'some'; ids: ReadonlySet<string> } | { kind: 'all' };

const NONE: Selection = { kind: 'some', ids: new Set() };

export interface Selecting {
  selection: Selection;
  isSelected: (id: string) => boolean;
  /** `isRange`: also everything between this row and the one that was changed last. */
  toggle: (index: number, isRange: boolean) => void;
  selectAll: () => void;
  /** Every row that is loaded. */
  selectLoaded: () => void;
  clear: () => void;
}

/** The selection in a list of these ids, in its order. */
export function useSelection(ids: readonly string[]): Selecting {
  const [selection, setSelection] = useState<Selection>(NONE);
  const last = useRef<number | null>(null);
  const current = useRef(ids);
  current.current = ids;
  return useMemo(() => {
    const toggle = (index: number, isRange: boolean) => {
      const [from, to] = isRange && last.current !== null ? [last.current, index] : [index, index];
      const between = current.current.slice(Math.min(from, to), Math.max(from, to) + 1);
      last.current = index;
      setSelection((before) => toggled(before, current.current, current.current[index], between));
    };
    return {
      selection,
      isSelected: (id: string) => selection.kind === 'all' || selection.ids.has(id),
      toggle,
      selectAll: () => setSelection({ kind: 'all' }),
      selectLoaded: () => setSelection({ kind: 'some', ids: new Set(current.current) }),
      clear: () => setSelection(NONE),
    };
  }, [selection]);
}

/** Selects these, or takes them out where the row itself was selected. From “all”, what is loaded stays selected. */
export function toggled(
  before: Selection,
  all: readonly string[],
  id: string | undefined,
  between: readonly string[],
): Selection {
  if (id === undefined) return before;
  const ids = new Set(before.kind === 'all' ? all : before.ids);
  const isTakenOut = ids.has(id);
  for (const one of between) {
    if (isTakenOut) ids.delete(one);
    else ids.add(one);
  }
  return { kind: 'some', ids };
}
