import { Alert, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { codeOf } from '../kernel/GraphqlError.ts';
import { t } from '../texts/index.ts';
import { ErrorText, LoadingRows } from '../ui/states.tsx';
import { Entrance } from './Entrance.tsx';
import { forgetAddressToken, useAddressToken } from './useAddressToken.ts';

interface MailedProofProps {
  title: string;
  /** What is going on, and what has happened. */
  doing: string;
  done: ReactNode;
  change: { isPending: boolean; isSuccess: boolean; isError: boolean; error: Error | null };
  /** Sends the token of the address. */
  send: (token: string) => void;
}

/** A page that a mail links to: the token of its address is sent at once. */
export function MailedProof({ title, doing, done, change, send }: MailedProofProps) {
  const token = useAddressToken();
  const isSent = useRef(false);
  useEffect(() => {
    // The token works once, and React runs effects twice in development.
    if (token === null || isSent.current) return;
    isSent.current = true;
    send(token);
  }, [token, send]);
  useEffect(() => {
    if (change.isSuccess) forgetAddressToken();
  }, [change.isSuccess]);
  return (
    <Entrance title={title} below={<Link to="/">{t.entrance.toDashboard}</Link>}>
      {token === null ? <Alert color="red">{t.entrance.tokenMissing}</Alert> : null}
      {change.isPending ? (
        <>
          <p role="status">{doing}</p>
          <LoadingRows rows={1} />
        </>
      ) : null}
      {change.isSuccess ? (
        <Alert color="green" role="status">
          {done}
        </Alert>
      ) : null}
      {change.isError ? (
        <Alert color="red" role="alert">
          <ErrorText error={change.error} />
        </Alert>
      ) : null}
      {token !== null && change.isError && codeOf(change.error) !== 'invalid_token' ? (
        <Button variant="default" onClick={() => send(token)}>
          {t.common.tryAgain}
        </Button>
      ) : null}
    </Entrance>
  );
}
