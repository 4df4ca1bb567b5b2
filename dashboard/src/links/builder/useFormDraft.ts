import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import type { Draft } from './draft.ts';

const SAVE_MS = 400;

/** Where the values of a form are kept until they are saved. */
export interface DraftStore {
  read: () => Draft | null;
  /** Null: nothing is kept any more. */
  write: (draft: Draft | null) => void;
}

export interface FormDraft {
  draft: Draft;
  change: (changed: Partial<Draft>) => void;
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

/**
 * The values of a form, kept in this tab until they are saved: the end of a session, a reload or an update of the product
 * loses nothing. Passwords are not kept.
 */
export function useFormDraft(store: DraftStore, initial: Draft): FormDraft {
  const [kept] = useState(store.read);
  const [draft, setDraft] = useState<Draft>(() => (kept ? { ...initial, ...kept } : initial));
  const [isChanged, setIsChanged] = useState(kept !== null);
  const [isRestored, setIsRestored] = useState(kept !== null);
  // Also what was written just before the page is left, as when the session ends.
  const keep = useDebouncedCallback((values: Draft) => store.write({ ...values, password: '' }), {
    delay: SAVE_MS,
    flushOnUnmount: true,
  });
  const forget = () => {
    keep.cancel();
    store.write(null);
    setIsChanged(false);
    setIsRestored(false);
  };
  return {
    draft,
    change: (changed) => {
      const values = { ...draft, ...changed };
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
