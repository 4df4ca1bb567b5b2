import { Alert, Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { codeOf } from '../kernel/GraphqlError.ts';
import { t } from '../texts/index.ts';
import { PasswordField } from '../ui/PasswordField.tsx';
import { ErrorText, LoadingRows } from '../ui/states.tsx';
import { Entrance } from './Entrance.tsx';
import { forgetAddressToken, useAddressToken } from './useAddressToken.ts';

interface MailedProofProps {
  title: string;
  /** What is going on, and what has happened. */
  doing: string;
  done: ReactNode;
  change: { isPending: boolean; isSuccess: boolean; isError: boolean; error: Error | null };
  /** Sends the token of the address, with the password where nobody is signed in to the account. */
  send: (token: string, password?: string) => void;
}

/**
 * A page that a mail links to: the token of its address is sent at once. In a browser that is not signed in to the account it
 * asks for the password, because somebody else may have entered the address.
 */
export function MailedProof({ title, doing, done, change, send }: MailedProofProps) {
  const token = useAddressToken();
  const isSent = useRef(false);
  const [isAsked, setIsAsked] = useState(false);
  const code = change.isError ? codeOf(change.error) : null;
  const needsPassword = isAsked || code === 'invalid_credentials';
  useEffect(() => {
    // The token works once, and React runs effects twice in development.
    if (token === null || isSent.current) return;
    isSent.current = true;
    send(token);
  }, [token, send]);
  useEffect(() => {
    if (change.isSuccess) forgetAddressToken();
  }, [change.isSuccess]);
  useEffect(() => {
    if (code === 'invalid_credentials') setIsAsked(true);
  }, [code]);
  const isForm = token !== null && needsPassword && !change.isSuccess && code !== 'invalid_token';
  return (
    <Entrance title={title} below={<Link to="/">{t.entrance.toDashboard}</Link>}>
      {token === null ? <Alert color="red">{t.entrance.tokenMissing}</Alert> : null}
      {change.isPending && !isForm ? (
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
      {change.isError && code !== 'invalid_credentials' ? (
        <Alert color="red" role="alert">
          <ErrorText error={change.error} />
        </Alert>
      ) : null}
      {isForm ? (
        <AskedPassword
          isPending={change.isPending}
          isWrong={code === 'invalid_credentials'}
          onGiven={(password) => send(token, password)}
        />
      ) : token !== null && change.isError && code !== 'invalid_token' ? (
        <Button variant="default" onClick={() => send(token)}>
          {t.common.tryAgain}
        </Button>
      ) : null}
    </Entrance>
  );
}

interface AskedPasswordProps {
  isPending: boolean;
  isWrong: boolean;
  onGiven: (password: string) => void;
}

function AskedPassword({ isPending, isWrong, onGiven }: AskedPasswordProps) {
  const [password, setPassword] = useState('');
  const [hasTried, setHasTried] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password === '' || isPending) return;
    setHasTried(true);
    onGiven(password);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <p>{t.entrance.proofBody}</p>
        <PasswordField
          label={t.common.yourPassword}
          value={password}
          error={isWrong && hasTried && !isPending ? t.entrance.proofWrong : null}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoFocus
        />
        <Button type="submit" loading={isPending} disabled={password === ''}>
          {t.entrance.proofVerb}
        </Button>
      </Stack>
    </form>
  );
}
