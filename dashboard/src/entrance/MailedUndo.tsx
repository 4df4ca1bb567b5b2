import { Alert, Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { codeOf } from '../kernel/GraphqlError.ts';
import { t } from '../texts/index.ts';
import { attemptProblems } from '../ui/attemptProblems.ts';
import { Problems } from '../ui/Problems.tsx';
import { Entrance } from './Entrance.tsx';
import { useAddressToken } from './useAddressToken.ts';

interface MailedUndoProps {
  title: string;
  /** What happened and what undoing does, and what to do once it is done. */
  body: string;
  done: string;
  verb: string;
  change: {
    isPending: boolean;
    isSuccess: boolean;
    error: Error | null;
    mutate: (variables: { token: string }, options: { onError: (error: Error) => void }) => void;
  };
}

/**
 * A page that a mail links to, for people who did not make a change themselves. It asks before it ends all sessions: programs
 * that check mails open links, too.
 */
export function MailedUndo({ title, body, done, verb, change }: MailedUndoProps) {
  const token = useAddressToken();
  const [problems, setProblems] = useState<string[]>([]);
  const isOver = codeOf(change.error) === 'invalid_token';
  return (
    <Entrance title={title} below={<Link to="/sign-in">{t.entrance.backToSignIn}</Link>}>
      {token === null ? <Alert color="red">{t.entrance.tokenMissing}</Alert> : null}
      {change.isSuccess ? (
        <>
          <Alert color="green" role="status">
            {done}
          </Alert>
          <Link to="/forgot-password">{t.entrance.choosePassword}</Link>
        </>
      ) : token === null ? null : (
        <Stack>
          {isOver ? null : <p>{body}</p>}
          <Problems messages={problems} />
          {isOver ? (
            <Link to="/forgot-password">{t.entrance.choosePassword}</Link>
          ) : (
            <Button
              loading={change.isPending}
              onClick={() =>
                change.mutate({ token }, { onError: (error) => setProblems(attemptProblems(null, error)) })
              }
            >
              {verb}
            </Button>
          )}
        </Stack>
      )}
    </Entrance>
  );
}
