import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { MailedProof } from './MailedProof.tsx';

const CONFIRM_EMAIL = graphql(`
  mutation ConfirmEmail($input: ConfirmEmailInput!) {
    confirmEmail(input: $input)
  }
`);

export function ConfirmEmailPage() {
  const confirm = useChange({ document: CONFIRM_EMAIL, touches: ['session'] });
  return (
    <MailedProof
      title={t.entrance.confirmTitle}
      doing={t.entrance.confirming}
      done={t.entrance.confirmed}
      change={confirm}
      send={(token, password) => confirm.mutate({ input: { token, password: password ?? null } })}
    />
  );
}
