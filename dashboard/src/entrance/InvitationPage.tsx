import { Alert, Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { codeOf } from '../kernel/GraphqlError.ts';
import { graphql } from '../kernel/graphql.ts';
import { useAsk, useChange } from '../kernel/queries.ts';
import { beginSession, sessionQuery } from '../session/session.ts';
import { useSignOut } from '../session/useSignOut.ts';
import { t } from '../texts/index.ts';
import { attemptProblems } from '../ui/attemptProblems.ts';
import { PasswordField } from '../ui/PasswordField.tsx';
import { Problems } from '../ui/Problems.tsx';
import { ErrorState, ErrorText, LoadingRows } from '../ui/states.tsx';
import { Entrance } from './Entrance.tsx';

import { SIGN_UP } from './SignUpPage.tsx';
import { useAddressToken } from './useAddressToken.ts';

const INVITATION = graphql(`
  query OfferedInvitation($token: String!) {
    invitation(token: $token) {
      email
      role
      teamName
      expiresAt
    }
  }
`);

const ACCEPT_INVITATION = graphql(`
  mutation AcceptInvitation($token: String!) {
    acceptInvitation(token: $token) {
      id
    }
  }
`);

/** An invitation: joined by the account that is signed in, or by a new one. */
export function InvitationPage() {
  const token = useAddressToken();
  const { data, error, refetch } = useAsk({
    about: 'account',
    document: INVITATION,
    variables: { token: token ?? '' },
    isEnabled: token !== null,
  });
  if (token === null) {
    return (
      <Entrance title={t.entrance.join}>
        <Alert color="red">{t.entrance.tokenMissing}</Alert>
      </Entrance>
    );
  }
  if (!data)
    return (
      <Entrance title={t.entrance.join}>
        {error ? <Refused error={error} retry={refetch} /> : <LoadingRows rows={2} />}
      </Entrance>
    );
  const { email, role, teamName } = data.invitation;
  return (
    <Entrance title={t.entrance.invitationTitle(teamName)}>
      <p>{t.entrance.invitationBody(email, t.states.roles[role])}</p>
      <Acceptance token={token} email={email} />
    </Entrance>
  );
}

/** An invitation that has run out or was taken back needs another one, whatever is tried. */
function Refused({ error, retry }: { error: Error; retry: () => unknown }) {
  if (!['invalid_token', 'not_found'].includes(codeOf(error))) return <ErrorState error={error} retry={retry} />;
  return (
    <>
      <Alert color="red" role="alert">
        <ErrorText error={error} />
      </Alert>
      <p>{t.entrance.invitationOver}</p>
      <Link to="/">{t.entrance.toDashboard}</Link>
    </>
  );
}

function Acceptance({ token, email }: { token: string; email: string }) {
  const { data: session, isPending, error, refetch } = useQuery(sessionQuery);
  const signOut = useSignOut({ isStaying: true });
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (isPending) return <LoadingRows rows={1} />;
  if (!session) return <NewAccount token={token} email={email} />;
  if (session.me.email !== email) {
    return (
      <Stack>
        <Alert color="yellow">{t.entrance.signedInAsOther(session.me.email, email)}</Alert>
        <Button variant="default" onClick={() => signOut()}>
          {t.entrance.signOut}
        </Button>
      </Stack>
    );
  }
  return <JoinButton token={token} email={email} />;
}

function JoinButton({ token, email }: { token: string; email: string }) {
  const router = useRouter();
  const [problems, setProblems] = useState<string[]>([]);
  const join = useChange({
    document: ACCEPT_INVITATION,
    touches: [],
    onDone: () => {
      beginSession();
      void router.navigate({ to: '/' });
    },
  });
  return (
    <Stack>
      <Problems messages={problems} />
      <Button
        loading={join.isPending}
        onClick={() => join.mutate({ token }, { onError: (error) => setProblems(attemptProblems(null, error)) })}
      >
        {t.entrance.joinAs(email)}
      </Button>
    </Stack>
  );
}

function NewAccount({ token, email }: { token: string; email: string }) {
  const router = useRouter();
  const [problems, setProblems] = useState<string[]>([]);
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' } });
  const signUp = useChange({
    document: SIGN_UP,
    touches: [],
    onDone: () => {
      beginSession();
      void router.navigate({ to: '/' });
    },
  });
  const submit = form.onSubmit(({ password }) => {
    setProblems([]);
    const input = { email, password, invitationToken: token };
    signUp.mutate({ input }, { onError: (error) => setProblems(attemptProblems(form, error)) });
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <Problems messages={problems} />
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label={t.entrance.password}
          description={t.common.passwordHint}
          autoComplete="new-password"
          required
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={signUp.isPending}>
          {t.entrance.createAndJoin}
        </Button>
        <Link to="/sign-in" search={{ to: '/invitation' }}>
          {t.entrance.signInToJoin}
        </Link>
      </Stack>
    </form>
  );
}
