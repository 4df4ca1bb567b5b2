import { Alert, Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { codeOf } from '../kernel/GraphqlError.ts';
import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { forgetPerson } from '../session/useSignOut.ts';
import { t } from '../texts/index.ts';
import { attemptProblems } from '../ui/attemptProblems.ts';
import { Problems } from '../ui/Problems.tsx';
import { Entrance } from './Entrance.tsx';
import { useAddressToken } from './useAddressToken.ts';

const UNDO_EMAIL_CHANGE = graphql(`
  mutation UndoEmailChange($token: String!) {
    undoEmailChange(token: $token)
  }
`);

/**
 * The link in the mail to the former address, for people who did not change it themselves. It asks before it ends all
 * sessions: programs that check mails open links, too.
 */
export function UndoEmailChangePage() {
  const token = useAddressToken();
  const [problems, setProblems] = useState<string[]>([]);
  const undo = useChange({ document: UNDO_EMAIL_CHANGE, touches: [], onDone: forgetPerson });
  return (
    <Entrance title={t.entrance.undoEmailTitle} below={<Link to="/sign-in">{t.entrance.backToSignIn}</Link>}>
      {token === null ? <Alert color="red">{t.entrance.tokenMissing}</Alert> : null}
      {undo.isSuccess ? (
        <>
          <Alert color="green" role="status">
            {t.entrance.emailUndone}
          </Alert>
          <Link to="/forgot-password">{t.entrance.choosePassword}</Link>
        </>
      ) : token === null ? null : (
        <Stack>
          <p>{t.entrance.undoEmailBody}</p>
          <Problems messages={problems} />
          {codeOf(undo.error) === 'invalid_token' ? null : (
            <Button
              loading={undo.isPending}
              onClick={() => undo.mutate({ token }, { onError: (error) => setProblems(attemptProblems(null, error)) })}
            >
              {t.entrance.undoEmail}
            </Button>
          )}
        </Stack>
      )}
    </Entrance>
  );
}
