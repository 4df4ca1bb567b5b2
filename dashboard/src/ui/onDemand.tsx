import { type ComponentType, lazy, type ReactNode, Suspense, useRef } from 'react';
import { useFocusBack } from './useFocusBack.ts';

interface Options<Props> {
  /** Nothing is loaded before this holds once. Always, when nothing is said. */
  isShown?: (props: Props) => boolean;
  /** In its place while it is loaded. */
  fallback?: ReactNode;
}

interface OnDemand<Props> {
  (props: Props): ReactNode;
  /** Loads the code beside the data without which it cannot be shown yet. */
  preload: () => void;
}

/**
 * A component whose code is loaded when it is first shown, such as a dialog, a tab or a chart. Code that is there already is shown at
 * once: React would show the fallback for a moment, and then hold back everything for 300 ms so that nothing flickers.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isShown, fallback = null }: Options<Props> = {},
): OnDemand<Props> {
  let loaded: ComponentType<Props> | null = null;
  const loading = async () => {
    loaded = await load();
    return { default: loaded };
  };
  const Loading = lazy(loading) as ComponentType<Props>;
  // A failure is told where the component is shown.
  return Object.assign(Shown, { preload: () => void loading().catch(() => {}) });

  function Shown(props: Props) {
    const wasShown = useRef(false);
    wasShown.current ||= isShown?.(props) ?? true;
    useFocusBack(isShown?.(props) ?? false);
    // Always the same one, or it would begin anew.
    const component = useRef<ComponentType<Props> | null>(null);
    if (!wasShown.current) return null;
    component.current ??= loaded ?? Loading;
    const Component = component.current;
    return (
      <Suspense fallback={fallback}>
        <Component {...props} />
      </Suspense>
    );
  }
}
