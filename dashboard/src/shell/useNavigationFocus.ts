import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** How long the heading of a page is waited for: its code and first data may still be on their way. */
const PATIENCE_MS = 2_000;
const LOOK_AGAIN_MS = 50;

/**
 * After a navigation the focus goes to the heading of the new page, which screen readers read out. A page that puts the focus
 * into a field keeps it there; then its name is returned, to be announced.
 */
export function useNavigationFocus(): string {
  const router = useRouter();
  const [announced, setAnnounced] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leave = router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
      const isOther =
        fromLocation &&
        (fromLocation.pathname !== toLocation.pathname || projectOf(fromLocation) !== projectOf(toLocation));
      if (!isOther) return;
      clearTimeout(timer);
      const before = document.activeElement;
      const until = performance.now() + PATIENCE_MS;
      const look = () => {
        const content = document.getElementById('content');
        const { activeElement } = document;
        // Somebody has gone on by themselves, or the page has chosen a field.
        if (activeElement !== before && content?.contains(activeElement)) return setAnnounced(document.title);
        const heading = content?.querySelector('h1');
        if (heading && !isInDialog(activeElement)) return heading.focus({ preventScroll: true });
        if (performance.now() < until) timer = setTimeout(look, LOOK_AGAIN_MS);
      };
      // After a menu or the palette has given the focus back to what opened it.
      timer = setTimeout(look, LOOK_AGAIN_MS);
    });
    // Whoever presses a key or a button meanwhile has gone on by themselves.
    const giveUp = () => clearTimeout(timer);
    const gestures = ['keydown', 'pointerdown'] as const;
    for (const gesture of gestures) document.addEventListener(gesture, giveUp, { capture: true });
    return () => {
      giveUp();
      leave();
      for (const gesture of gestures) document.removeEventListener(gesture, giveUp, { capture: true });
    };
  }, [router]);
  return announced;
}

function projectOf({ search }: { search: object }): unknown {
  return (search as { project?: string }).project;
}

function isInDialog(element: Element | null): boolean {
  return element?.closest('[role="dialog"], [role="menu"]') != null;
}
