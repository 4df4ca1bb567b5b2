import { Button, Group } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { use, useEffect, useRef, useState } from 'react';
import { askReach } from '../kernel/ask.ts';
import { codeOf } from '../kernel/GraphqlError.ts';
import { useServiceReach } from '../kernel/reach.ts';
import { SessionContext } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { EmptyState, ErrorText, LoadingRows } from '../ui/states.tsx';
import styles from './fallbacks.module.css';
import { isAboutMissingCode, isReloading, reload, reloadOnce } from './reloadAfterUpdate.ts';

/**
 * A fault of the page itself, or a session or code that could not be loaded. While the service does not answer this page says so and
 * tries again; what can still be reached stays around it.
 */
export function CrashPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  const isReachable = useServiceReach();
  const isInShell = use(SessionContext) !== null;
  const isMissing = isAboutMissingCode(error);
  const hasAsked = useHasAsked(isMissing);
  const isAway = codeOf(error) === 'unreachable' || (isMissing && !isReachable);
  const wasAway = useRef(false);
  wasAway.current ||= isAway;
  useEffect(() => {
    if (!wasAway.current || !isReachable) return;
    if (isMissing) reload();
    else void router.invalidate();
  }, [isMissing, isReachable, router]);
  if (isReloading()) return null;
  if (!hasAsked) return <PendingPage />;
  const title = isAway ? t.common.awayTitle : t.common.crashTitle;
  const Frame = isInShell ? 'div' : 'main';
  return (
    <Frame className={styles.crash} data-away={isAway || undefined}>
      <h1 className="visually-hidden" tabIndex={-1}>
        {title}
      </h1>
      <div role="alert">
        <EmptyState
          title={title}
          body={
            <>
              {isMissing && !isAway ? null : <p>{isAway ? t.common.awayBody : t.common.crashBody}</p>}
              {isAway ? null : <ErrorText error={error} />}
            </>
          }
          actions={
            <Group>
              <Button onClick={() => (isAway ? void askReach().catch(() => {}) : location.reload())}>
                {isAway ? t.common.tryAgain : t.common.reload}
              </Button>
            </Group>
          }
        />
      </div>
    </Frame>
  );
}

/**
 * Finds out why code is missing: the service is away, or has other code by now, which a reload brings. To reload without asking
 * would leave people at the error page of their browser, which never comes back.
 */
function useHasAsked(isMissing: boolean): boolean {
  const [hasAsked, setHasAsked] = useState(!isMissing);
  useEffect(() => {
    if (!isMissing) return;
    let isHere = true;
    askReach()
      .then(() => isHere && reloadOnce())
      .catch(() => {})
      .finally(() => isHere && setHasAsked(true));
    return () => {
      isHere = false;
    };
  }, [isMissing]);
  return hasAsked;
}

export function PendingPage() {
  const isInShell = use(SessionContext) !== null;
  return isInShell ? (
    <LoadingRows />
  ) : (
    <div className={styles.pending}>
      <LoadingRows />
    </div>
  );
}
