import { type ReactNode, useEffect } from 'react';
import styles from './Entrance.module.css';

/** One card, for pages of people who are not signed in. */
export function Entrance({ title, children, below }: { title: string; children: ReactNode; below?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · svc`;
  }, [title]);
  return (
    <main className={styles.page}>
      <div className={styles.brand} aria-hidden>
        svc
      </div>
      <div className={styles.card}>
        <h1 className={styles.title}>{title}</h1>
        {children}
      </div>
      {below ? <div className={styles.below}>{below}</div> : null}
    </main>
  );
}
