import { Alert, Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { IconMail } from '../ui/icons.ts';
import { dialogOnDemand } from '../ui/onDemand.tsx';
import { Card } from '../ui/Page.tsx';
import { toast, toastError } from '../ui/toasts.ts';
import type { Account } from './operations.ts';

const ChangeEmailDialog = dialogOnDemand(
  () => import('./ChangeEmailDialog.tsx').then(({ ChangeEmailDialog }) => ChangeEmailDialog),
  ({ isOpen }) => isOpen,
);

const CANCEL_EMAIL_CHANGE = graphql(`
  mutation CancelEmailChange {
    cancelEmailChange {
      id
    }
  }
`);

/** The email of the account, and the one that waits to take its place. */
export function EmailCard({ account, sendsMail }: { account: Account; sendsMail: boolean }) {
  const [isChanging, setIsChanging] = useState(false);
  const { email } = t.account;
  const cancel = useChange({
    document: CANCEL_EMAIL_CHANGE,
    touches: ['account'],
    onDone: () => toast(email.cancelled),
  });
  return (
    <Card
      title={email.title}
      actions={
        <Button variant="default" onClick={() => setIsChanging(true)}>
          {email.change}
        </Button>
      }
    >
      <Stack gap="xs">
        <div>
          <b>{account.email}</b>
        </div>
        <div>{email.about}</div>
        {account.pendingEmail === null ? null : (
          <Alert color="yellow" variant="light" icon={<IconMail size={18} />}>
            <Stack gap="xs" align="flex-start">
              {email.pending(account.pendingEmail)}
              <Button
                variant="default"
                size="compact-sm"
                loading={cancel.isPending}
                onClick={() => cancel.mutate({}, { onError: toastError })}
              >
                {email.cancel}
              </Button>
            </Stack>
          </Alert>
        )}
      </Stack>
      <ChangeEmailDialog
        isOpen={isChanging}
        email={account.email}
        sendsMail={sendsMail}
        asksCode={account.secondFactor}
        onClose={() => setIsChanging(false)}
      />
    </Card>
  );
}
