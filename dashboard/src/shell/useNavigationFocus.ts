import { type AnyRouter, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { awaitField, giveUpField, isFieldAwaited } from '../kernel/typeAhead.ts';
import { markedField } from '../ui/firstField.ts';

/** How long the heading of a page is waited for: its code and first data may still be on their way. */
const PATIENCE_MS = 2_000;
const LOOK_AGAIN_MS = 50;

/** From the start of a navigation to a page that begins with a field, what is typed is kept for that field. */
export function awaitFieldsOfPages(router: AnyRouter): void {
  router.subscribe('onBeforeNavigate', ({ fromLocation, toLocation }) => {
    if (fromLocation?.href === toLocation.href && !isOutsideContent()) return;
    const [routes] = router.getMatchedRoutes(toLocation.pathname);
    if (routes.some(({ options }) => options.staticData?.beginsWithField === true)) awaitField();
    else if (fromLocation?.pathname !== toLocation.pathname) giveUpField();
  });
}

/**
 * After a navigation the focus goes to the field with which the new page begins, or else to its heading, which screen readers read
 * out. The title of a page that begins with a field is returned, to be announced.
 */
export function useNavigationFocus(): string {
  const router = useRouter();
  const [announced, setAnnounced] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let before: Element | null = null;
    const arrive = ({ isFirst = false } = {}) => {
      clearTimeout(timer);
      const until = performance.now() + PATIENCE_MS;
      const look = () => {
        const outcome = lookForFocus(before, isFirst);
        if (outcome === 'focused') {
          giveUpField();
          return setAnnounced(document.title);
        }
        const isBusy = document.querySelector('#content [aria-busy="true"]') !== null;
        if (outcome === 'nothing' ? performance.now() < until : isFieldAwaited() && isBusy)
          timer = setTimeout(look, LOOK_AGAIN_MS);
        else giveUpField();
      };
      // After a menu or the palette has given the focus back to what opened it.
      timer = setTimeout(look, LOOK_AGAIN_MS);
    };
    const begin = router.subscribe('onBeforeNavigate', () => {
      before = document.activeElement;
    });
    const leave = router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
      const isOther =
        fromLocation &&
        (fromLocation.pathname !== toLocation.pathname || projectOf(fromLocation) !== projectOf(toLocation));
      if (isOther || isFieldAwaited()) arrive();
    });
    // The first page of all: its heading gets no focus.
    if (isFieldAwaited()) arrive({ isFirst: true });
    // After a key or a button somebody has gone on by themselves, unless they write to a field that is on its way.
    const giveUp = () => {
      if (!isFieldAwaited()) clearTimeout(timer);
    };
    const gestures = ['keydown', 'pointerdown'] as const;
    for (const gesture of gestures) document.addEventListener(gesture, giveUp, { capture: true });
    return () => {
      clearTimeout(timer);
      begin();
      leave();
      for (const gesture of gestures) document.removeEventListener(gesture, giveUp, { capture: true });
    };
  }, [router]);
  return announced;
}

/**
 * Puts the focus where it belongs by now.
 *
 * @param before what had the focus when the navigation began
 * @param isFirst whether the heading is left alone
 */
function lookForFocus(before: Element | null, isFirst: boolean): 'focused' | 'heading' | 'nothing' {
  const content = document.getElementById('content');
  const { activeElement } = document;
  if (!content || isInDialog(activeElement)) return 'nothing';
  const heading = content.querySelector('h1');
  // Somebody has gone on by themselves, or the page has chosen a field.
  if (activeElement !== before && activeElement !== heading && content.contains(activeElement)) return 'focused';
  const field = markedField(content);
  if (field) {
    field.focus({ preventScroll: true });
    return 'focused';
  }
  if (!heading) return 'nothing';
  if (!isFirst) heading.focus({ preventScroll: true });
  return 'heading';
}

function projectOf({ search }: { search: object }): unknown {
  return (search as { project?: string }).project;
}

function isInDialog(element: Element | null): boolean {
  return element?.closest('[role="dialog"], [role="menu"]') != null;
}

/** Somebody who asks for the page on which they are, as from the header, wants to begin with its field. */
function isOutsideContent(): boolean {
  return !document.getElementById('content')?.contains(document.activeElement);
}
