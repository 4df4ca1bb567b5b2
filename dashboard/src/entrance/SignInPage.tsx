import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { codeOf } from '../kernel/GraphqlError.ts';
import { graphql } from '../kernel/graphql.ts';
import { useAsk, useChange } from '../kernel/queries.ts';
import { hasDrafts } from '../kernel/storage.ts';
import { formatDate } from '../kernel/times.ts';
import { safeReturn } from '../session/leaveToSignIn.ts';
import { beginSession } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { attemptProblems } from '../ui/attemptProblems.ts';
import { PasswordField } from '../ui/PasswordField.tsx';
import { Problems } from '../ui/Problems.tsx';
import { type Factor, SecondFactorField } from '../ui/SecondFactorField.tsx';
import { Entrance } from './Entrance.tsx';
import { isPending, PendingPerson } from './PendingPerson.tsx';
import { SignUpHint } from './SignUpHint.tsx';

const SIGN_IN = graphql(`
  mutation SignIn($input: SignInInput!) {
    signIn(input: $input) {
      emailConfirmed
      deletionAt
    }
  }
`);

const SIGNED_IN_PERSON = graphql(`
  query SignedInPerson {
    me {
      email
      emailConfirmed
      deletionAt
    }
  }
`);

/** The form, or what a person has to do first who is signed in and may see no page yet. */
export function SignInPage() {
  const { to, deleted, ended } = useSearch({ from: '/entrance/sign-in' });
  const enter = useEnter(to);
  const { data, refetch } = useAsk({ about: 'account', document: SIGNED_IN_PERSON, variables: {} });
  const person = data?.me;
  // The email was confirmed in another tab, while this one waited.
  const mayEnter = person ? !isPending(person) : false;
  useEffect(() => {
    if (mayEnter) enter();
  }, [mayEnter]);
  return person && isPending(person) ? (
    <PendingPerson person={person} onRestored={enter} onSignedOut={refetch} />
  ) : (
    <SignInForm deleted={deleted} isEnded={ended !== undefined} onEnter={enter} onPending={refetch} />
  );
}

/** Begins the session in this browser, at the page that was asked for. */
function useEnter(to: string | undefined): () => void {
  const router = useRouter();
  return () => {
    beginSession();
    router.history.push(`/app${safeReturn(to)}`);
  };
}

interface SignInFormProps {
  /** Until when an account can be restored that was just deleted. */
  deleted: string | undefined;
  /** The session has ended by itself, on the page to which the way leads back. */
  isEnded: boolean;
  onEnter: () => void;
  onPending: () => void;
}

/** The second factor is asked for in place, once the password is right. */
function SignInForm({ deleted, isEnded, onEnter, onPending }: SignInFormProps) {
  const [problems, setProblems] = useState<string[]>([]);
  const [factor, setFactor] = useState<Factor | null>(null);
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '', password: '', code: '' } });
  const signIn = useChange({
    document: SIGN_IN,
    touches: [],
    onDone: ({ signIn: person }) => (isPending(person) ? onPending() : onEnter()),
  });
  const submit = form.onSubmit(({ email, password, code }) => {
    setProblems([]);
    // Apps show codes in groups, and they are copied with the space between.
    const given = factor === null ? {} : { code: code.replace(/\s+/g, '') };
    signIn.mutate(
      { input: { email: email.trim(), password, ...given } },
      {
        onError: (error) => {
          if (codeOf(error) === 'second_factor_required' && factor === null) return setFactor('app');
          setProblems(attemptProblems(form, error));
        },
      },
    );
  });
  const changeFactor = (changed: Factor) => {
    form.setFieldValue('code', '');
    setFactor(changed);
  };
  return (
    <Entrance title={t.entrance.signInTitle} below={<SignUpHint />}>
      {deleted === undefined || Number.isNaN(Date.parse(deleted)) ? null : (
        <Alert color="blue" variant="light" role="status">
          {t.entrance.deleted(formatDate(deleted))}
        </Alert>
      )}
      <SessionEnd isEnded={isEnded} />
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
            autoComplete="current-password"
            required
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          {factor === null ? null : (
            <>
              <p role="status">{t.entrance.factorNeeded}</p>
              <SecondFactorField
                key={form.key('code')}
                factor={factor}
                onChange={changeFactor}
                input={{ autoFocus: true, ...form.getInputProps('code') }}
              />
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

/** Why the person is here, and that nothing they wrote is lost. */
function SessionEnd({ isEnded }: { isEnded: boolean }) {
  const [isKept, setIsKept] = useState(false);
  // After the page that was left has kept what was written last.
  useEffect(() => setIsKept(hasDrafts()), []);
  if (!isEnded && !isKept) return null;
  return (
    <Alert color="yellow" variant="light" role="status">
      {t.entrance.ended} {isKept ? t.entrance.kept : null}
    </Alert>
  );
}
