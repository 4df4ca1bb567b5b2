import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { beginSession } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { attemptProblems } from '../ui/attemptProblems.ts';
import { PasswordField } from '../ui/PasswordField.tsx';
import { Problems } from '../ui/Problems.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { Entrance } from './Entrance.tsx';

import { useService } from './useService.ts';

export const SIGN_UP = graphql(`
  mutation SignUp($input: SignUpInput!) {
    signUp(input: $input) {
      id
    }
  }
`);

export function SignUpPage() {
  const router = useRouter();
  const { service, error, retry } = useService();
  const [problems, setProblems] = useState<string[]>([]);
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '', password: '', teamName: '' } });
  const signUp = useChange({
    document: SIGN_UP,
    touches: [],
    onDone: () => {
      beginSession();
      void router.navigate({ to: '/' });
    },
  });
  const submit = form.onSubmit(({ email, password, teamName }) => {
    setProblems([]);
    const input = { email: email.trim(), password, teamName: teamName.trim() || null };
    signUp.mutate({ input }, { onError: (error) => setProblems(attemptProblems(form, error)) });
  });
  const below = (
    <p>
      {t.entrance.haveAccount} <Link to="/sign-in">{t.entrance.signIn}</Link>
    </p>
  );
  if (!service) {
    return (
      <Entrance title={t.entrance.signUpTitle} below={below}>
        {error ? <ErrorState error={error} retry={retry} /> : <LoadingRows rows={4} />}
      </Entrance>
    );
  }
  if (service.signUp !== 'open') {
    return (
      <Entrance title={t.entrance.signUpTitle} below={below}>
        <p>{service.signUp === 'invitation' ? t.entrance.byInvitation : t.entrance.closed}</p>
      </Entrance>
    );
  }
  return (
    <Entrance title={t.entrance.signUpTitle} below={below}>
      <form onSubmit={submit}>
        <Stack>
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
          <PasswordField
            label={t.entrance.password}
            description={t.common.passwordHint}
            autoComplete="new-password"
            required
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <TextInput
            label={t.entrance.teamName}
            description={t.entrance.teamNameHint}
            autoComplete="organization"
            key={form.key('teamName')}
            {...form.getInputProps('teamName')}
          />
          <Button type="submit" loading={signUp.isPending} fullWidth>
            {t.entrance.signUp}
          </Button>
        </Stack>
      </form>
    </Entrance>
  );
}
