import { useDebouncedCallback } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { changedValues, fitting } from './formValues.ts';
import { readDraft, writeDraft } from './storage.ts';

const SAVE_MS = 400;

/** Where the values of a form are kept until they are saved. */
export interface DraftStore<Values> {
  read: () => Partial<Values> | null;
  /** Null: nothing is kept any more. */
  write: (draft: Partial<Values> | null) => void;
  /** Keeps all values, not only the changed ones: for a form that begins with others each time. */
  isWhole?: boolean;
}

export interface FormDraft<Values> {
  draft: Values;
  change: (changed: Partial<Values>) => void;
  /** Whether any value is another than the saved one. */
  isChanged: boolean;
  /** What was entered before was found again in this tab. */
  isRestored: boolean;
  /** The changed values are about to be saved: what is changed from now on stays when they are forgotten. */
  toSend: () => void;
  /** Keeps at once what was written last. */
  flush: () => void;
  /** Forgets what is kept, after it was saved or given up. It is still shown, until what is saved is read again. */
  forget: () => void;
  /** Starts again from what is saved. */
  reset: () => void;
}

/** A place of this name in this tab. */
export function draftStore<Values>(name: string): DraftStore<Values> {
  return { read: () => readDraft(name) as Partial<Values> | null, write: (draft) => writeDraft(name, draft) };
}

/**
 * The values of a form: what is saved, below what somebody has changed. `initial` may be made anew for each render. Changes are
 * kept in this tab until they are saved: the end of a session, a reload or an update of the product loses nothing. What others
 * save meanwhile is followed.
 */
export function useFormDraft<Values extends object>(store: DraftStore<Values>, initial: Values): FormDraft<Values> {
  const [kept] = useState(() => fitting(store.read(), initial));
  const [changes, setChanges] = useState<Partial<Values>>(kept);
  const [isRestored, setIsRestored] = useState(() => !isNothing(changedValues(initial, kept)));
  // What was saved stands above what was read before it, until that is read again.
  const begun = JSON.stringify(initial);
  const [saved, setSaved] = useState<{ begun: string; values: Partial<Values> }>({ begun, values: {} });
  const savedValues = saved.begun === begun ? saved.values : {};
  const base: Values = { ...initial, ...savedValues };
  // Of two changes in one event, the second must not undo the first.
  const current = useRef(changes);
  current.current = changes;
  const sent = useRef<Partial<Values> | null>(null);
  // Also what was written just before the page is left, as when the session ends.
  const keep = useDebouncedCallback((values: Partial<Values>) => store.write(values), {
    delay: SAVE_MS,
    flushOnUnmount: true,
  });
  const become = (next: Partial<Values>, above: Values) => {
    current.current = next;
    setChanges(next);
    if (isNothing(changedValues(above, next))) {
      keep.cancel();
      store.write(null);
    } else keep(store.isWhole ? { ...above, ...next } : next);
  };
  const forget = () => {
    const done = sent.current ?? current.current;
    sent.current = null;
    const values = { ...savedValues, ...done };
    setSaved({ begun, values });
    setIsRestored(false);
    become(without(current.current, done), { ...initial, ...values });
  };
  return {
    draft: { ...base, ...changes },
    change: (changed) => become({ ...current.current, ...changed }, base),
    isChanged: !isNothing(changedValues(base, changes)),
    isRestored,
    toSend: () => {
      sent.current = current.current;
    },
    flush: keep.flush,
    forget,
    reset: () => {
      sent.current = null;
      setSaved({ begun, values: {} });
      setIsRestored(false);
      become({}, initial);
    },
  };
}

function isNothing(values: object): boolean {
  return Object.keys(values).length === 0;
}

/** The changes that are not among those that were saved. */
function without<Values extends object>(changes: Partial<Values>, done: Partial<Values>): Partial<Values> {
  const isDone = (name: string) => changes[name as keyof Values] === done[name as keyof Values];
  return Object.fromEntries(Object.entries(changes).filter(([name]) => !isDone(name))) as Partial<Values>;
}
