import { Link } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import styles from './TabLinks.module.css';

interface TabLinksProps<Tab extends string> {
  label: string;
  tabs: readonly { tab: Tab; label: string; to: string; search?: Record<string, string | undefined> }[];
  current: Tab;
}

/** Parts of a page that have addresses of their own: links, not an ARIA tab list. */
export function TabLinks<Tab extends string>({ label, tabs, current }: TabLinksProps<Tab>) {
  const nav = useRef<HTMLElement>(null);
  // On a phone not all of them fit beside each other. The page itself must not move.
  useLayoutEffect(() => {
    const show = () => {
      const chosen = nav.current?.querySelector<HTMLElement>('[aria-current]');
      if (!nav.current || !chosen || !current) return;
      nav.current.scrollLeft = chosen.offsetLeft - (nav.current.clientWidth - chosen.offsetWidth) / 2;
    };
    show();
    window.addEventListener('resize', show);
    return () => window.removeEventListener('resize', show);
  }, [current]);
  return (
    <nav ref={nav} aria-label={label} className={styles.tabs}>
      {tabs.map(({ tab, label, to, search = {} }) => (
        <Link
          key={tab}
          to={to}
          search={{ tab: undefined, ...search } as never}
          className={styles.tab}
          // The router marks what it takes for the current page, too: only an address that has no tab is that of the first.
          activeOptions={{ exact: true, explicitUndefined: true }}
          aria-current={tab === current ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
