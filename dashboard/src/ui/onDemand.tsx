import { type ComponentType, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { awaitField, giveUpField } from '../kernel/typeAhead.ts';
import { useFocusBack } from './useFocusBack.ts';

interface Options {
  /** In its place while it is loaded. */
  fallback?: ReactNode;
  /** A part that its page can do without: when it cannot be loaded, its place stays as it is, and it is tried again. */
  isOptional?: boolean;
}

/** Until what could not be loaded is tried again. */
const AGAIN_MS = 5000;

type Load<Props> = () => Promise<ComponentType<Props>>;

/** What dialogs get and parts of a page do not: `dialogOnDemand` is for them. */
interface NoDialog {
  isOpen?: never;
  opened?: never;
  onClose?: never;
}

interface OnDemand<Props> {
  (props: Props): ReactNode;
  /** Loads the code beside the data without which it cannot be shown yet. */
  preload: () => void;
}

/**
 * A part of a page whose code is loaded when it is first shown, such as a tab or a chart. It does not suspend: React shows
 * what was suspended 300 ms after the fallback at the earliest, and so would ask for the data of a tab as late. What cannot be
 * loaded is told where the component is shown, and is tried again when it is shown anew.
 */
export function onDemand<Props extends object & NoDialog>(load: Load<Props>, options: Options = {}): OnDemand<Props> {
  return loadedLater(load, options);
}

/**
 * A dialog whose code is loaded when it is first opened. What is typed between the click and the code is for its first field, and
 * the focus goes back to what opened it: both need to know when it is open.
 */
export function dialogOnDemand<Props extends object>(
  load: Load<Props>,
  isOpen: (props: Props) => boolean,
): OnDemand<Props> {
  return loadedLater(load, {}, isOpen);
}

function loadedLater<Props extends object>(
  load: Load<Props>,
  { fallback = null, isOptional = false }: Options,
  isDialogOpen?: (props: Props) => boolean,
): OnDemand<Props> {
  let Loaded: ComponentType<Props> | null = null;
  let loading: Promise<void> | null = null;
  const startLoading = () => {
    loading ??= load().then(
      (component) => {
        Loaded = component;
      },
      (error) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  };
  return Object.assign(Shown, { preload: () => void startLoading().catch(() => {}) });

  function Shown(props: Props) {
    const wasShown = useRef(false);
    const isOpen = isDialogOpen?.(props) ?? false;
    wasShown.current ||= isOpen || !isDialogOpen;
    useFocusBack(isOpen);
    const isMissing = wasShown.current && !Loaded;
    const [outcome, setOutcome] = useState<{ error: unknown } | null>(null);
    const isLate = isOptional && Boolean(outcome?.error);
    useLayoutEffect(() => {
      if (!isDialogOpen || !isMissing) return;
      // What somebody types after they have opened a dialog is for it, unless it is closed before it comes.
      if (isOpen) awaitField();
      else giveUpField();
    }, [isMissing, isOpen]);
    useLayoutEffect(() => {
      if (!isMissing) return;
      let isHere = true;
      const end = (error: unknown) => {
        if (!isHere) return;
        if (error && isDialogOpen) giveUpField();
        setOutcome({ error });
      };
      const start = () => void startLoading().then(() => end(null), end);
      const timer = outcome ? setTimeout(start, AGAIN_MS) : undefined;
      if (!outcome) start();
      return () => {
        isHere = false;
        clearTimeout(timer);
      };
    }, [isMissing, outcome]);
    if (outcome?.error && !isLate) throw outcome.error;
    if (!wasShown.current) return null;
    return Loaded ? <Loaded {...props} /> : fallback;
  }
}
