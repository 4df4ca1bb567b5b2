import { Link, useLocation } from '@tanstack/react-router';
import { t } from '../texts/index.ts';
import { FURTHER_NAVIGATION, type NavigationPage, PROJECT_PAGES } from '../ui/pages.ts';
import styles from './SideBar.module.css';

/** The main navigation: words on wide screens and in the phone's menu, icons with names between. */
export function SideBar() {
  return (
    <>
      <Pages label={t.shell.mainNavigation} pages={PROJECT_PAGES} />
      <Pages label={t.shell.furtherNavigation} pages={FURTHER_NAVIGATION} />
    </>
  );
}

function Pages({ label, pages }: { label: string; pages: readonly NavigationPage[] }) {
  const pathname = useLocation({ select: (location) => location.pathname });
  return (
    <nav aria-label={label} className={styles.nav}>
      {pages.map(({ to, icon: Icon, name, also }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: to === '/', includeSearch: false }}
          className={styles.link}
          aria-current={also && pathname.startsWith(also) ? 'true' : undefined}
          title={t.shell.pages[name]}
        >
          <Icon size={18} stroke={1.7} aria-hidden />
          <span className={styles.label}>{t.shell.pages[name]}</span>
        </Link>
      ))}
    </nav>
  );
}
