import { type ComponentType, lazy, type ReactNode, Suspense, useRef } from 'react';
import { useFocusBack } from './useFocusBack.ts';

interface Options<Props> {
  /** Nothing is loaded before this holds once. Always, when nothing is said. */
  isShown?: (props: Props) => boolean;
  /** In its place while it is loaded. */
  fallback?: ReactNode;
}

/** A component whose code is loaded when it is first shown, such as a dialog, a tab or a chart. */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isShown, fallback = null }: Options<Props> = {},
): (props: Props) => ReactNode {
  const Loaded = lazy(async () => ({ default: await load() }));
  return function OnDemand(props: Props) {
    const wasShown = useRef(false);
    wasShown.current ||= isShown?.(props) ?? true;
    useFocusBack(isShown?.(props) ?? false);
    return wasShown.current ? (
      <Suspense fallback={fallback}>
        <Loaded {...props} />
      </Suspense>
    ) : null;
  };
}
