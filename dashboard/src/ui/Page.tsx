import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '../texts/index.ts';
import { IconChevronLeft } from './icons.ts';
import styles from './Page.module.css';

interface PageProps {
  title: string;
  /** Shown instead of the title, where the heading is more than text. */
  heading?: ReactNode;
  /** The way back, above the title. */
  back?: keyof typeof t.common.waysBack;
  /** What the address of the way back has to say. */
  backSearch?: Record<string, string>;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page inside the shell. Its heading gets focus after a navigation, which screen readers announce. */
export function Page({ title, heading, back, backSearch, about, actions, children }: PageProps) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · svc`;
  }, [title]);
  useEffect(() => {
    // A field that asked for focus keeps it, and so does the first page after a load.
    const { activeElement } = document;
    if (hasNavigated && (!activeElement || activeElement === document.body))
      ref.current?.focus({ preventScroll: true });
    hasNavigated = true;
  }, []);
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <div className={styles.titles}>
          {back ? (
            <Link to={back} params {...(backSearch ? { search: backSearch as never } : {})} className={styles.back}>
              <IconChevronLeft size={16} aria-hidden />
              {t.common.waysBack[back]}
            </Link>
          ) : null}
          <h1 ref={ref} tabIndex={-1} className={styles.title}>
            {heading ?? title}
          </h1>
          {about ? <p className={styles.about}>{about}</p> : null}
        </div>
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </div>
      {children}
    </div>
  );
}

let hasNavigated = false;

interface CardProps {
  title?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** Without space inside, for tables and lists that reach the edges. */
  isFlush?: boolean;
}

/** A part of a page. */
export function Card({ title, actions, children, isFlush = false }: CardProps) {
  return (
    <section className={styles.card} data-flush={isFlush || undefined}>
      {title || actions ? (
        <div className={styles.cardHead}>
          {title ? <h2 className={styles.cardTitle}>{title}</h2> : <span />}
          {actions ? <div className={styles.actions}>{actions}</div> : null}
        </div>
      ) : null}
      {children}
    </section>
  );
}
