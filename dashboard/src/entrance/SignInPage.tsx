import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { codeOf } from '../kernel/GraphqlError.ts';
import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { safeReturn } from '../session/leaveToSignIn.ts';
import { beginSession } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { Problems } from '../ui/Problems.tsx';
import { Entrance } from './Entrance.tsx';
import { entranceProblems } from './entranceProblems.ts';
import { type Factor, SecondFactorField } from './SecondFactorField.tsx';
import { SignUpHint } from './SignUpHint.tsx';

const SIGN_IN = graphql(`
  mutation SignIn($input: SignInInput!) {
    signIn(input: $input) {
      id
    }
  }
`);

/** The second factor is asked for in place, once the password is right. */
export function SignInPage() {
  const router = useRouter();
  const { to } = useSearch({ from: '/entrance/sign-in' });
  const [problems, setProblems] = useState<string[]>([]);
  const [factor, setFactor] = useState<Factor>('none');
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '', password: '', code: '' } });
  const signIn = useChange({
    document: SIGN_IN,
    touches: [],
    onDone: () => {
      beginSession();
      router.history.push(`/app${safeReturn(to)}`);
    },
  });
  const submit = form.onSubmit(({ email, password, code }) => {
    setProblems([]);
    // Apps show codes in groups, and they are copied with the space between.
    const given = factor === 'none' ? {} : { code: code.replace(/\s+/g, '') };
    signIn.mutate(
      { input: { email: email.trim(), password, ...given } },
      {
        onError: (error) => {
          if (codeOf(error) === 'second_factor_required' && factor === 'none') return setFactor('app');
          setProblems(entranceProblems(form, error));
        },
      },
    );
  });
  return (
    <Entrance title={t.entrance.signInTitle} below={<SignUpHint />}>
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
          <PasswordInput
            label={t.entrance.password}
            autoComplete="current-password"
            required
            visibilityToggleButtonProps={{ 'aria-label': t.entrance.showPassword, tabIndex: 0 }}
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          {factor === 'none' ? null : (
            <>
              <p role="status">{t.entrance.factorNeeded}</p>
              <SecondFactorField form={form} factor={factor} onChange={setFactor} />
            </>
          )}
          <Button type="submit" loading={signIn.isPending} fullWidth>
            {t.entrance.signIn}
          </Button>
          <Link to="/forgot-password">{t.entrance.forgot}</Link>
        </Stack>
      </form>
    </Entrance>
  );
}
