import { Alert, Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { formatDate } from '../kernel/times.ts';
import { useSignOut } from '../session/useSignOut.ts';
import { t } from '../texts/index.ts';
import { attemptProblems } from '../ui/attemptProblems.ts';
import { Problems } from '../ui/Problems.tsx';
import { Entrance } from './Entrance.tsx';

const RESEND_CONFIRMATION = graphql(`
  mutation ResendConfirmation {
    resendConfirmation
  }
`);

const RESTORE_ACCOUNT = graphql(`
  mutation RestoreAccount {
    restoreAccount {
      id
    }
  }
`);

/** Somebody who is signed in and may see no page yet. */
interface Person {
  email: string;
  emailConfirmed: boolean;
  deletionAt: string | null;
}

/** Whether the person must do something first: confirm their email, or restore the account that they deleted. */
export function isPending({ emailConfirmed, deletionAt }: Omit<Person, 'email'>): boolean {
  return !emailConfirmed || deletionAt !== null;
}

interface PendingPersonProps {
  person: Person;
  onRestored: () => void;
  onSignedOut: () => void;
}

export function PendingPerson({ person, onRestored, onSignedOut }: PendingPersonProps) {
  const signOut = useSignOut({ isStaying: true });
  const leave = async () => {
    await signOut();
    onSignedOut();
  };
  const { email, deletionAt } = person;
  return (
    <Entrance
      title={deletionAt === null ? t.entrance.confirmTitle : t.entrance.restoreTitle}
      below={
        <Button variant="subtle" onClick={() => void leave()}>
          {t.entrance.signOut}
        </Button>
      }
    >
      {deletionAt === null ? (
        <Unconfirmed email={email} />
      ) : (
        <Deleted deletionAt={deletionAt} onRestored={onRestored} />
      )}
    </Entrance>
  );
}

function Unconfirmed({ email }: { email: string }) {
  const [problems, setProblems] = useState<string[]>([]);
  const resend = useChange({ document: RESEND_CONFIRMATION, touches: [], onDone: () => setProblems([]) });
  return (
    <Stack>
      <p>{t.entrance.confirmBody(email)}</p>
      <Problems messages={problems} />
      {resend.isSuccess ? (
        <Alert color="green" role="status">
          {t.entrance.resent}
        </Alert>
      ) : null}
      <Button
        variant="default"
        loading={resend.isPending}
        onClick={() => resend.mutate({}, { onError: (error) => setProblems(attemptProblems(null, error)) })}
      >
        {t.entrance.resend}
      </Button>
    </Stack>
  );
}

function Deleted({ deletionAt, onRestored }: { deletionAt: string; onRestored: () => void }) {
  const [problems, setProblems] = useState<string[]>([]);
  const restore = useChange({ document: RESTORE_ACCOUNT, touches: [], onDone: onRestored });
  return (
    <Stack>
      <p>{t.entrance.restoreBody(formatDate(deletionAt))}</p>
      <Problems messages={problems} />
      <Button
        loading={restore.isPending}
        onClick={() => restore.mutate({}, { onError: (error) => setProblems(attemptProblems(null, error)) })}
      >
        {t.entrance.restore}
      </Button>
    </Stack>
  );
}
