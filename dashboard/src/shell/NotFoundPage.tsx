import { Link } from '@tanstack/react-router';
import { t } from '../texts/index.ts';
import { Page } from '../ui/Page.tsx';
import { NAVIGATION } from '../ui/pages.ts';
import styles from './fallbacks.module.css';

/** An address at which nothing is, inside the frame: everything else is one step away. */
export function NotFoundPage() {
  return (
    <Page title={t.common.pageNotFoundTitle} about={t.common.pageNotFoundBody}>
      <ul className={styles.pages}>
        {NAVIGATION.map(({ to, icon: Icon, name }) => (
          <li key={to}>
            <Link to={to} className={styles.page}>
              <Icon size={18} stroke={1.7} aria-hidden />
              <span>
                <strong>{t.shell.pages[name]}</strong>
                <span className={styles.about}>{t.shell.abouts[name]}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  );
}
