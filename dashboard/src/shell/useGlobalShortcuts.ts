import { useNavigate } from '@tanstack/react-router';
import { useShortcuts } from '../kernel/shortcuts.ts';
import { NAVIGATION } from '../ui/pages.ts';

/** The shortcuts of every page. `/` is for pages with a field of search. */
export function useGlobalShortcuts({ openHelp }: { openHelp: () => void }): void {
  const navigate = useNavigate();
  const goTo = Object.fromEntries(NAVIGATION.map(({ key, to }) => [`g ${key}`, () => void navigate({ to })]));
  useShortcuts({
    ...goTo,
    '?': openHelp,
    c: (event) => {
      // Otherwise the letter would land in the first field of the page.
      event.preventDefault();
      void navigate({ to: '/links/new' });
    },
  });
}
