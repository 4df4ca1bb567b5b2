import { Alert, Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { codeOf } from '../kernel/GraphqlError.ts';
import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { attemptProblems } from '../ui/attemptProblems.ts';
import { PasswordField } from '../ui/PasswordField.tsx';
import { Problems } from '../ui/Problems.tsx';
import { Entrance } from './Entrance.tsx';

import { useAddressToken } from './useAddressToken.ts';

const RESET_PASSWORD = graphql(`
  mutation ResetPassword($token: String!, $password: String!) {
    resetPassword(token: $token, password: $password)
  }
`);

export function ResetPasswordPage() {
  const token = useAddressToken();
  const [problems, setProblems] = useState<string[]>([]);
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' } });
  const reset = useChange({ document: RESET_PASSWORD, touches: [] });
  const submit = form.onSubmit(({ password }) => {
    setProblems([]);
    reset.mutate({ token: token ?? '', password }, { onError: (error) => setProblems(attemptProblems(form, error)) });
  });
  const toSignIn = <Link to="/sign-in">{t.entrance.backToSignIn}</Link>;
  return (
    <Entrance title={t.entrance.resetTitle} below={toSignIn}>
      {token === null ? (
        <>
          <Alert color="red">{t.entrance.tokenMissing}</Alert>
          <Link to="/forgot-password">{t.entrance.newLink}</Link>
        </>
      ) : null}
      {reset.isSuccess ? (
        <Alert color="green" role="status">
          {t.entrance.resetDone}
        </Alert>
      ) : token === null ? null : (
        <form onSubmit={submit}>
          <Stack>
            <p>{t.entrance.resetBody}</p>
            <Problems messages={problems} />
            {codeOf(reset.error) === 'invalid_token' ? <Link to="/forgot-password">{t.entrance.newLink}</Link> : null}
            <PasswordField
              label={t.common.newPassword}
              description={t.common.passwordHint}
              autoComplete="new-password"
              required
              autoFocus
              key={form.key('password')}
              {...form.getInputProps('password')}
            />
            <Button type="submit" loading={reset.isPending} fullWidth>
              {t.entrance.setPassword}
            </Button>
          </Stack>
        </form>
      )}
    </Entrance>
  );
}
