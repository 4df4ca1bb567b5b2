import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAsk } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { dialogOnDemand } from '../ui/onDemand.tsx';
import { Card } from '../ui/Page.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { EmailCard } from './EmailCard.tsx';
import { ACCOUNT, type Account } from './operations.ts';
import { SecondFactorCard } from './SecondFactorCard.tsx';

const ChangePasswordDialog = dialogOnDemand(
  () => import('./ChangePasswordDialog.tsx').then(({ ChangePasswordDialog }) => ChangePasswordDialog),
  ({ isOpen }) => isOpen,
);

/** What a person signs in with. */
export function SignInTab() {
  const { data, error, refetch } = useAsk({ about: 'account', document: ACCOUNT, variables: {} });
  if (!data?.me) {
    return <Card>{error ? <ErrorState error={error} retry={refetch} /> : <LoadingRows rows={4} />}</Card>;
  }
  return (
    <>
      <EmailCard account={data.me} sendsMail={data.service.sendsMail} />
      <PasswordCard account={data.me} />
      <SecondFactorCard account={data.me} />
    </>
  );
}

function PasswordCard({ account: { email, secondFactor } }: { account: Account }) {
  const [isChanging, setIsChanging] = useState(false);
  const { password } = t.account;
  return (
    <Card
      title={password.title}
      actions={
        <Button variant="default" onClick={() => setIsChanging(true)}>
          {password.change}
        </Button>
      }
    >
      {password.about}
      <ChangePasswordDialog
        isOpen={isChanging}
        email={email}
        asksCode={secondFactor}
        onClose={() => setIsChanging(false)}
      />
    </Card>
  );
}
