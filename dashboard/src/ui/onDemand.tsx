import { type ComponentType, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { awaitField } from '../kernel/typeAhead.ts';
import { useFocusBack } from './useFocusBack.ts';

interface Options<Props> {
  /** Nothing is loaded before this holds once. Always, when nothing is said. */
  isShown?: (props: Props) => boolean;
  /** In its place while it is loaded. */
  fallback?: ReactNode;
  /** A part that its page can do without: when it cannot be loaded, its place stays as it is, and it is tried again. */
  isOptional?: boolean;
}

/** Until what could not be loaded is tried again. */
const AGAIN_MS = 5000;

interface OnDemand<Props> {
  (props: Props): ReactNode;
  /** Loads the code beside the data without which it cannot be shown yet. */
  preload: () => void;
}

/**
 * A component whose code is loaded when it is first shown, such as a dialog, a tab or a chart. It does not suspend: React shows
 * what was suspended 300 ms after the fallback at the earliest, and so would ask for the data of a tab as late. What cannot be
 * loaded is told where the component is shown, and is tried again when it is shown anew.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isShown, fallback = null, isOptional = false }: Options<Props> = {},
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
    wasShown.current ||= isShown?.(props) ?? true;
    useFocusBack(isShown?.(props) ?? false);
    const isMissing = wasShown.current && !Loaded;
    const [outcome, setOutcome] = useState<{ error: unknown } | null>(null);
    const isLate = isOptional && Boolean(outcome?.error);
    useLayoutEffect(() => {
      if (!isMissing) return;
      // A dialog that somebody has opened: what they type meanwhile is for it.
      if (isShown) awaitField();
      let isHere = true;
      const end = (error: unknown) => {
        if (isHere) setOutcome({ error });
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
