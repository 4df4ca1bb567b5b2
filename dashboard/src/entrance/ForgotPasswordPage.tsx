import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { attemptProblems } from '../ui/attemptProblems.ts';
import { Code } from '../ui/Code.tsx';
import { Problems } from '../ui/Problems.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { Entrance } from './Entrance.tsx';

import { useService } from './useService.ts';

const REQUEST_RESET = graphql(`
  mutation RequestPasswordReset($email: String!) {
    requestPasswordReset(email: $email)
  }
`);

/** Says the same whether there is such an account or not. */
export function ForgotPasswordPage() {
  const { service, error, retry } = useService();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [problems, setProblems] = useState<string[]>([]);
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '' } });
  const request = useChange({
    document: REQUEST_RESET,
    touches: [],
    onDone: (_, { email }) => setSentTo(email),
  });
  const submit = form.onSubmit(({ email }) => {
    setProblems([]);
    request.mutate({ email: email.trim() }, { onError: (error) => setProblems(attemptProblems(form, error)) });
  });
  const below = <Link to="/sign-in">{t.entrance.backToSignIn}</Link>;
  if (!service) {
    return (
      <Entrance title={t.entrance.forgotTitle} below={below}>
        {error ? <ErrorState error={error} retry={retry} /> : <LoadingRows rows={2} />}
      </Entrance>
    );
  }
  if (!service.sendsMail) {
    return (
      <Entrance title={t.entrance.forgotTitle} below={below}>
        <p>{t.entrance.noMail}</p>
        <Code text="npm run admin -- reset-password you@example.com" what={t.entrance.operatorCommand} />
      </Entrance>
    );
  }
  return (
    <Entrance title={t.entrance.forgotTitle} below={below}>
      {sentTo === null ? (
        <form onSubmit={submit}>
          <Stack>
            <p>{t.entrance.forgotBody}</p>
            <Problems messages={problems} />
            <TextInput
              label={t.entrance.email}
              type="email"
              autoComplete="username"
              required
              autoFocus
              key={form.key('email')}
              {...form.getInputProps('email')}
            />
            <Button type="submit" loading={request.isPending} fullWidth>
              {t.entrance.sendLink}
            </Button>
          </Stack>
        </form>
      ) : (
        <Alert color="green" role="status">
          {t.entrance.sent(sentTo)}
        </Alert>
      )}
    </Entrance>
  );
}
