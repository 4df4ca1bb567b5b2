import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { MailedProof } from './MailedProof.tsx';

const CONFIRM_EMAIL_CHANGE = graphql(`
  mutation ConfirmEmailChange($token: String!, $password: String) {
    confirmEmailChange(token: $token, password: $password) {
      email
    }
  }
`);

/** The link in the mail to the new address: from now on it is that of the account. */
export function ChangeEmailPage() {
  const confirm = useChange({ document: CONFIRM_EMAIL_CHANGE, touches: ['session', 'account'] });
  return (
    <MailedProof
      title={t.entrance.changeEmailTitle}
      doing={t.entrance.changingEmail}
      done={t.entrance.emailChanged(confirm.data?.confirmEmailChange.email ?? '')}
      change={confirm}
      send={(token, password) => confirm.mutate({ token, password: password ?? null })}
    />
  );
}
