import { Button, Skeleton } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { GraphqlError } from '../kernel/GraphqlError.ts';
import { t } from '../texts/index.ts';
import { CopyButton } from './CopyButton.tsx';
import { IconAlert } from './icons.ts';
import styles from './states.module.css';

interface EmptyStateProps {
  /** One sentence: what this is for. */
  title: string;
  body?: ReactNode;
  /** One button, and perhaps a link to the reference. */
  actions?: ReactNode;
}

export function EmptyState({ title, body, actions }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <h2 className={styles.title}>{title}</h2>
      {body ? <div className={styles.body}>{body}</div> : null}
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </div>
  );
}

/** What went wrong, in the words of the server, with the request id and a way on. */
export function ErrorState({ error, retry }: { error: unknown; retry?: () => unknown }) {
  const known = error instanceof GraphqlError ? error : null;
  if (known?.code === 'not_found') return <EmptyState title={t.common.notFoundTitle} body={t.common.notFoundBody} />;
  return (
    <div className={styles.state} role="alert">
      <IconAlert size={22} className={styles.alarm} aria-hidden />
      <h2 className={styles.title}>{t.common.errorTitle}</h2>
      <ErrorText error={error} />
      {retry ? (
        <Button variant="default" onClick={() => retry()}>
          {t.common.tryAgain}
        </Button>
      ) : null}
    </div>
  );
}

/** The message of an error with its code and request id, for a place that has its own frame. */
export function ErrorText({ error }: { error: unknown }) {
  const known = error instanceof GraphqlError ? error : null;
  const message = known?.code === 'unreachable' ? t.common.unreachable : (error as Error).message;
  return (
    <div className={styles.body}>
      <p lang="en">{message}</p>
      {known?.requestId ? (
        <p className={styles.soft}>
          {t.common.code} <code>{known.code}</code> · {t.common.requestId} <code>{known.requestId}</code>
          <CopyButton text={known.requestId} what={t.common.requestId} />
        </p>
      ) : null}
    </div>
  );
}

/** Nothing flickers when an answer comes at once. */
const SKELETON_AFTER_MS = 150;

/** Rows of the height that the data will have. */
export function LoadingRows({ rows = 6, height = 44 }: { rows?: number; height?: number }) {
  const isLate = useIsLate(SKELETON_AFTER_MS);
  return (
    <div className={styles.rows} aria-busy="true">
      <span role="status" className="visually-hidden">
        {isLate ? t.common.loading : ''}
      </span>
      {[...Array(rows).keys()].map((row) => (
        <Skeleton key={row} height={height} visible={isLate} radius="sm" />
      ))}
    </div>
  );
}

function useIsLate(afterMs: number): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  return isLate;
}
