import { Link, useLocation } from '@tanstack/react-router';
import { t } from '../texts/index.ts';
import { NAVIGATION } from './pages.ts';
import styles from './SideBar.module.css';

/** The main navigation: words on wide screens and in the phone's menu, icons with names between. */
export function SideBar() {
  const pathname = useLocation({ select: (location) => location.pathname });
  return (
    <nav aria-label={t.shell.mainNavigation} className={styles.nav}>
      {NAVIGATION.map(({ to, icon: Icon, label, also }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: to === '/', includeSearch: false }}
          className={styles.link}
          aria-current={also && pathname.startsWith(also) ? 'true' : undefined}
          title={label()}
        >
          <Icon size={18} stroke={1.7} aria-hidden />
          <span className={styles.label}>{label()}</span>
        </Link>
      ))}
    </nav>
  );
}
