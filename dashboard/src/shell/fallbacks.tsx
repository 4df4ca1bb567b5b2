import { Button, Group } from '@mantine/core';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { codeOf } from '../kernel/GraphqlError.ts';
import { useServiceReach } from '../kernel/reach.ts';
import { t } from '../texts/index.ts';
import { Page } from '../ui/Page.tsx';
import { NAVIGATION } from '../ui/pages.ts';
import { EmptyState, ErrorText, LoadingRows } from '../ui/states.tsx';
import styles from './fallbacks.module.css';
import { isReloading } from './reloadAfterUpdate.ts';

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

/** A fault of the page itself, or a session that could not be loaded because the service does not answer. */
export function CrashPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  const isReachable = useServiceReach();
  const isAway = codeOf(error) === 'unreachable';
  useEffect(() => {
    if (isAway && isReachable) void router.invalidate();
  }, [isAway, isReachable, router]);
  if (isReloading()) return null;
  const title = isAway ? t.common.awayTitle : t.common.crashTitle;
  return (
    <main className={styles.crash}>
      <h1 className="visually-hidden">{title}</h1>
      <div role="alert">
        <EmptyState
          title={title}
          body={
            <>
              <p>{isAway ? t.common.awayBody : t.common.crashBody}</p>
              {isAway ? null : <ErrorText error={error} />}
            </>
          }
          actions={
            <Group>
              <Button onClick={() => (isAway ? void router.invalidate() : location.reload())}>
                {isAway ? t.common.tryAgain : t.common.reload}
              </Button>
            </Group>
          }
        />
      </div>
    </main>
  );
}

export function PendingPage() {
  return <LoadingRows />;
}
