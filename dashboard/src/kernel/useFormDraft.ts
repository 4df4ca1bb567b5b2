import { useDebouncedCallback } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { readDraft, writeDraft } from './storage.ts';

const SAVE_MS = 400;

/** Where the values of a form are kept until they are saved. */
export interface DraftStore<Values> {
  read: () => Values | null;
  /** Null: nothing is kept any more. */
  write: (draft: Values | null) => void;
}

export interface FormDraft<Values> {
  draft: Values;
  change: (changed: Partial<Values>) => void;
  isChanged: boolean;
  /** What was entered before was found again in this tab. */
  isRestored: boolean;
  /** Keeps at once what was written last. */
  flush: () => void;
  /** Forgets what is kept, after it was saved or given up. */
  forget: () => void;
  /** Starts again from what is saved. */
  reset: () => void;
}

/** A place of this name in this tab. */
export function draftStore<Values>(name: string): DraftStore<Values> {
  return { read: () => readDraft(name) as Values | null, write: (draft) => writeDraft(name, draft) };
}

/**
 * The values of a form, kept in this tab until they are saved: the end of a session, a reload or an update of the product
 * loses nothing.
 */
export function useFormDraft<Values extends object>(store: DraftStore<Values>, initial: Values): FormDraft<Values> {
  const [kept] = useState(store.read);
  const [draft, setDraft] = useState<Values>(() => (kept ? { ...initial, ...kept } : initial));
  // Of two changes in one event, the second must not undo the first.
  const current = useRef(draft);
  current.current = draft;
  const [isChanged, setIsChanged] = useState(kept !== null);
  const [isRestored, setIsRestored] = useState(kept !== null);
  // Also what was written just before the page is left, as when the session ends.
  const keep = useDebouncedCallback((values: Values) => store.write(values), { delay: SAVE_MS, flushOnUnmount: true });
  const forget = () => {
    keep.cancel();
    store.write(null);
    setIsChanged(false);
    setIsRestored(false);
  };
  return {
    draft,
    change: (changed) => {
      const values = { ...current.current, ...changed };
      current.current = values;
      setDraft(values);
      setIsChanged(true);
      keep(values);
    },
    isChanged,
    isRestored,
    flush: keep.flush,
    forget,
    reset: () => {
      forget();
      setDraft(initial);
    },
  };
}
