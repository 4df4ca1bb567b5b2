import { Alert, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { codeOf } from '../kernel/GraphqlError.ts';
import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { ErrorText, LoadingRows } from '../ui/states.tsx';
import { Entrance } from './Entrance.tsx';
import { useAddressToken } from './useAddressToken.ts';

const CONFIRM_EMAIL = graphql(`
  mutation ConfirmEmail($input: ConfirmEmailInput!) {
    confirmEmail(input: $input)
  }
`);

export function ConfirmEmailPage() {
  const token = useAddressToken();
  const confirm = useChange({ document: CONFIRM_EMAIL, touches: ['session'] });
  const isAsked = useRef(false);
  useEffect(() => {
    // The token works once, and React runs effects twice in development.
    if (token === null || isAsked.current) return;
    isAsked.current = true;
    confirm.mutate({ input: { token } });
  }, [token, confirm]);
  return (
    <Entrance title={t.entrance.confirmTitle} below={<Link to="/">{t.entrance.toDashboard}</Link>}>
      {token === null ? <Alert color="red">{t.entrance.tokenMissing}</Alert> : null}
      {confirm.isPending ? (
        <>
          <p role="status">{t.entrance.confirming}</p>
          <LoadingRows rows={1} />
        </>
      ) : null}
      {confirm.isSuccess ? (
        <Alert color="green" role="status">
          {t.entrance.confirmed}
        </Alert>
      ) : null}
      {confirm.isError ? (
        <Alert color="red" role="alert">
          <ErrorText error={confirm.error} />
        </Alert>
      ) : null}
      {confirm.isError && codeOf(confirm.error) !== 'invalid_token' ? (
        <Button variant="default" onClick={() => confirm.mutate({ input: { token: token ?? '' } })}>
          {t.common.tryAgain}
        </Button>
      ) : null}
    </Entrance>
  );
}
